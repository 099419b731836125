"""Builds what loaded.cpp loads, and prints the path of the shared object, and a line for each of its parameters and states.

    shared_object.py TREEBANK CASE        a case of trial/cases.py, with one tree a step
"""
import json
import sys

import lantern as lt
from cases import parse, rate_of
from lantern import compiled, core
from trees import MODELS, made, tree_by_tree


def main():
    treebank, case = sys.argv[1], parse(sys.argv[2])
    words = lt.vocabulary(treebank)
    model, Tree = made("treelstm", len(words), case.frozen)
    if case.optimizer:
        text = lt.function(tree_by_tree(model, Tree, getattr(lt.optim, case.optimizer)(rate_of(case)))).text(treebank, 1)
    else:
        text = lt.function(model.loss).text(lt.treebank(treebank, words, Tree)[0])
    print(compiled.build(text, "trees.py", "program"))
    for seed, name in enumerate(MODELS["treelstm"][2].split()):
        print(seed, name, *getattr(model, name).shape)
    for state in json.loads(core.compile(text, "trees.py", {"emit": "manifest", "name": "program"}))["states"]:
        print("zeros", state["name"], *state["type"].strip("()").split()[2:])


if __name__ == "__main__":
    main()
