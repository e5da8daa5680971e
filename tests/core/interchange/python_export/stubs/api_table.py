"""The names of a table as objects whose calls are checked against their arguments."""
import inspect


def words(line):
    kind, rest = line.split(" ", 1)
    edition = None
    if rest.endswith((" 2.4", " 2.1")):
        rest, edition = rest[:-4], rest[-3:]
    return kind, rest, edition


def signature_of(arguments):
    parameters = []
    kinds = inspect.Parameter
    for argument in filter(None, (part.strip() for part in arguments.split(","))):
        if argument.startswith("**"):
            parameters.append(kinds(argument[2:], kinds.VAR_KEYWORD))
        elif argument.startswith("*"):
            parameters.append(kinds(argument[1:], kinds.VAR_POSITIONAL))
        elif argument.endswith("="):
            parameters.append(kinds(argument[:-1], kinds.POSITIONAL_OR_KEYWORD, default=None))
        else:
            parameters.append(kinds(argument, kinds.POSITIONAL_OR_KEYWORD))
    # Python's rule: what has a default comes last.
    order = lambda p: (p.kind, p.kind == kinds.POSITIONAL_OR_KEYWORD and p.default is not kinds.empty)
    return inspect.Signature(sorted(parameters, key=order))


class Api:
    """Rows of one edition by their names."""

    def __init__(self, path, edition):
        self.rows, self.enums, self.attributes = {}, {}, set()
        for line in open(path, encoding="utf-8"):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            kind, rest, only = words(line)
            if only not in (None, edition):
                continue
            if kind == "enum":
                name, members = rest.split(":")
                self.enums[name] = members.split()
            elif kind == "attribute":
                self.attributes.add(rest.split("IPUConfig.", 1)[1])
            else:
                name, arguments = rest.rstrip(")").split("(", 1)
                self.rows[name] = (kind, signature_of(arguments))

    def check(self, name, args, kwargs):
        """The bound arguments; TypeError as Python has it."""
        try:
            return self.rows[name][1].bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None


class Names:
    """A module: what is not in it is an AttributeError."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        raise AttributeError(f"module '{self._path}' has no attribute '{name}'")


def put(root, path, value):
    *modules, last = path.split(".")
    for module in modules:
        if module not in vars(root):
            setattr(root, module, Names(f"{root._path}.{module}" if isinstance(root, Names) else module))
        root = getattr(root, module)
    setattr(root, last, value)
