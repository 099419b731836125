"""Tables of small programs: many functions of a module in one compiled object, each held to what Python gives."""
import collections
import sys

from lantern import abi, compiled, types
from lantern.staging import entry
from lantern.staging.errors import StagingError

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/staging")
from staged_source import module_of  # noqa: E402


class Table:
    """The functions of a source, or of the module that it has become, whose parameters are all annotated, compiled together."""

    def __init__(self, source, names):
        self.module = module_of(source) if isinstance(source, str) else source
        self.plain = {name: vars(self.module)[name] for name in names}
        program, entries = entry.stage_entries(list(self.plain.values()))
        self.text = entry.program_text(program, entries)
        structs = {name: types.StructType(name, type_.declaration) for name, type_ in program.trace.structs.items()}
        loaded = compiled.Program(compiled.build(self.text, "table.sexpr", "program"), structs)
        self.compiled = {name: _caller(loaded.entry(e.name), e.specialisation)
                         for name, e in zip(self.plain, entries)}


def _caller(call, specialisation):
    def run(*arguments):
        types_of = [formal.type for formal in specialisation.formals]
        flat = [leaf for type_, value in zip(types_of, arguments) for leaf in abi.flattened(type_, value, "an argument")]
        values = iter(call(*flat))
        plan = specialisation.result
        return plan.rebuild(iter([entry._nested(join.type, values) for join in plan.joins()]))
    return run


def outcome(function, arguments):
    """What a call gives: its result, or the type of its exception."""
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__


def differences(programs, seeds, all_sizes):
    """(the random programs that do not give what Python gives, how many are accepted, what refused the others).

    programs: a module with a HEAD, and program(seed, name), a source.
    """
    module = module_of(programs.HEAD + "\n\n".join(programs.program(seed, f"program_{seed}") for seed in seeds))
    accepted, refused = [], collections.Counter()
    for seed in seeds:
        try:
            entry.stage_entries([vars(module)[f"program_{seed}"]])
            accepted.append(seed)
        except StagingError as error:
            refused[error.code] += 1
    if not accepted:
        return [], 0, refused
    table, wrong = Table(module, [f"program_{seed}" for seed in accepted]), []
    for seed in accepted:
        for sizes in all_sizes:
            expected, actual = (outcome(those[f"program_{seed}"], sizes) for those in (table.plain, table.compiled))
            if actual != expected:
                wrong.append(f"{programs.program(seed)}\nof {sizes}: Python gives {expected}, compiled {actual}")
    return wrong, len(accepted), refused


def cases_of(calls):
    """pytest parameters of {name: arguments, each a tuple or one value}."""
    return [(name, arguments if isinstance(arguments, tuple) else (arguments,)) for name, many in calls.items() for arguments in many]
