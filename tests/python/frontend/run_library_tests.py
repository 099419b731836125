"""Runs CPython's own tests of modules whose Python is converted: `run_library_tests.py HOW MODULES TESTS REPORT`.

HOW: `file` converts the modules' whole files, `functions` loads them as they are and puts a converted twin in the place of each
function, `plain` loads them afresh, no more. MODULES: names, with commas between; whoever imports one of them, also afresh, gets a converted one. The report is JSON:
{"ran": tests, "converted": functions, "bad": {test: traceback}, "skipped": {test: reason}}. Nothing of the tests is changed; LONG do not run.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import types
import unittest
import warnings

PACKAGE = pathlib.Path(__file__).resolve().parents[3] / "python"

# Tests that take seconds, since they do a thing very often, and what runs the same functions.
LONG = {
    "test.test_ast.ASTValidatorTests.test_stdlib_validates": "the library's sources, by CPython's own parser and validator",
    "test.test_json.test_unicode.TestPyUnicode.test_unicode_decode": "each of fifty-five thousand characters; TestPyScanstring has some of each kind",
    "test.test_random.SystemRandom_TestBasicOps.test_bug_9025": "a hundred thousand draws; MersenneTwister_TestBasicOps has the test, too",
    "test.test_statistics.TestNormalDistPython.test_inv_cdf": "a million probabilities; test_quantiles calls it, too",
    "test.test_statistics.TestNormalDistC.test_inv_cdf": "a million probabilities, by C code; test_quantiles calls it, too",
    "test.test_statistics.TestNormalDistC.test_overlap": "of a class that is Python's, but for inv_cdf; TestNormalDistPython has it",
    "test.test_statistics.TestSqrtHelpers.test_float_sqrt_of_frac": "sixty thousand fractions; what stdev and pstdev call",
    "test.test_weakref.MappingTestCase.test_threaded_weak_key_dict_copy": "as with deepcopy, by the same threads; test_weak_keys copies",
    "test.test_weakref.MappingTestCase.test_threaded_weak_value_dict_copy": "as with deepcopy, by the same threads; test_weak_values copies",
    "test.test_weakref.MappingTestCase.test_threaded_weak_valued_consistency": "as with setdefault, by the same threads, which also set values",
    "test.test_weakref.MappingTestCase.test_threaded_weak_valued_pop": "by the same threads; WeakValueDictionaryTestCase.test_pop pops",
    "test.test_difflib.TestSFpatches.test_recursion_limit": "two thousand lines that all differ, of code that no longer recurses; test_one_insert",
}


class ByFile(importlib.machinery.SourceFileLoader):
    """Loads a module from its converted source."""

    def get_code(self, fullname):       # never from a cached .pyc
        from lantern import core
        text = core.convert(self.get_data(self.path).decode(), self.path)["code"]
        return compile(text, self.path, "exec", dont_inherit=True)


class ByFunction(importlib.machinery.SourceFileLoader):
    """Loads a module as it is, then converts its functions one by one."""

    def exec_module(self, module):
        super().exec_module(module)
        Twins(module).replace_in(module)


class Twins:
    def __init__(self, module):
        self.module, self.of = module, {}

    def replace_in(self, owner):
        for name, value in list(vars(owner).items()):
            twin = self.twin(value)
            if twin is not value:
                try:
                    setattr(owner, name, twin)
                except (AttributeError, TypeError):
                    pass        # a slot or a class that takes no new attributes
            if isinstance(value, type) and value.__module__ == self.module.__name__ and value not in self.of:
                self.of[value] = value
                self.replace_in(value)
            elif owner is self.module and type(value) is dict and not name.startswith("__"):     # a table of functions
                value.update({key: self.in_table(each) for key, each in value.items()})

    def in_table(self, value):
        """What stands in a table: a function, or lists and tuples with functions in them."""
        if type(value) in (list, tuple):
            return type(value)(map(self.in_table, value))
        return self.twin(value) if isinstance(value, types.FunctionType) else value

    def twin(self, value):
        from lantern.staging.convert import converted
        if isinstance(value, (staticmethod, classmethod)):
            twin = self.twin(value.__func__)
            return value if twin is value.__func__ else type(value)(twin)
        if type(value) is property:
            parts = [value.fget, value.fset, value.fdel]
            twins = [self.twin(each) for each in parts]
            return value if twins == parts else property(*twins, value.__doc__)
        if not isinstance(value, types.FunctionType) or value.__globals__ is not vars(self.module) \
                or value.__code__.co_filename != self.module.__file__:
            return value
        if value not in self.of:
            self.of[value] = converted(value)
        return self.of[value]


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules that are to be converted, before anybody else does."""

    def __init__(self, names, loader):
        self.names, self.loader, self.loaded = names, loader, []

    def find_spec(self, name, path, target=None):
        if name not in self.names:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        spec.loader = self.loader(name, spec.origin)
        return spec


def count_converted():
    """Counts the functions that converted code is made for: returns a function that tells."""
    from lantern.staging import convert
    count = 0
    before = convert.mark

    def mark(function):
        nonlocal count
        count += 1
        return before(function)
    convert.mark = mark
    import lantern.operators
    lantern.operators.converted = mark
    return lambda: count


def count_the_tests_frames():
    """What tests ask and set of the recursion limit counts the frames of the code that they know, not the ones that converted code nests
    in their place: a test that makes twice as much as the limit makes that, and not ten times as much."""
    from lantern.staging import recursion
    get, put = sys.getrecursionlimit, sys.setrecursionlimit
    sys.getrecursionlimit = lambda: recursion._own if get() == recursion._scaled else get()
    sys.setrecursionlimit = lambda limit: put(recursion._scaled if limit == recursion._own else limit)
    recursion.sys = types.SimpleNamespace(getrecursionlimit=get, setrecursionlimit=put, version_info=sys.version_info)


def cases(suite):
    """The single tests of a suite."""
    for each in suite:
        yield from cases(each) if isinstance(each, unittest.TestSuite) else [each]


def main():
    how, names, tests, report = sys.argv[1:]
    names = names.split(",")
    sys.path.insert(0, str(PACKAGE))
    from lantern import core, operators  # noqa: F401  before anything of theirs is replaced
    from lantern.exceptions import UnconvertedWarning
    core.version(), core.operators()
    warnings.simplefilter("ignore", UnconvertedWarning)
    told = count_converted()
    count_the_tests_frames()
    sys.meta_path.insert(0, Finder(names, {"file": ByFile, "functions": ByFunction, "plain": importlib.machinery.SourceFileLoader}[how]))
    for name in names:
        sys.modules.pop(name, None)
    for name in names:
        module = importlib.import_module(name)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    found = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromName(each) for each in tests.split(","))
    suite = unittest.TestSuite(case for case in cases(found) if case.id() not in LONG)
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    bad = {str(case.id() if hasattr(case, "id") else case): text for case, text in result.failures + result.errors}
    bad.update({case.id(): "passed, though it was expected to fail" for case in result.unexpectedSuccesses})
    skipped = {case.id(): reason for case, reason in result.skipped}
    pathlib.Path(report).write_text(json.dumps({"ran": result.testsRun, "converted": told(), "bad": bad, "skipped": skipped}))


if __name__ == "__main__":
    main()
