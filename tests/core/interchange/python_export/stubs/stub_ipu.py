"""tensorflow.python.ipu as far as exported programs use it."""
import contextlib

from api_table import Names, put
from stub_tensorflow import Layer, Object, Tensor, ipu_api, layer_class, make, tensors_of

depth = {"strategy": 0, "stage": 0}


@contextlib.contextmanager
def scope(what):
    if what == "stage" and (depth["stage"] or not depth["strategy"]):
        raise RuntimeError("PipelineStage stands within a strategy, and in no other PipelineStage")
    depth[what] += 1
    yield
    depth[what] -= 1


class Strategy:
    def scope(self):
        return scope("strategy")


class Options:
    """An IPUConfig, or a category of it: only options that there are can be set."""

    def __init__(self, path=""):
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name):
        path = f"{self._path}{name}"
        if any(option.startswith(path + ".") for option in ipu_api.attributes):
            return Options(path + ".")
        if not self._path and name == "configure_ipu_system":
            return lambda *args, **kwargs: ipu_api.check("config.IPUConfig.configure_ipu_system", args, kwargs)
        raise AttributeError(f"IPUConfig has no {path}")

    def __setattr__(self, name, value):
        if f"{self._path}{name}" not in ipu_api.attributes:
            raise AttributeError(f"IPUConfig has no option {self._path}{name}")


class Unit:
    """A recurrent unit: its call gives the outputs and the state."""

    def __init__(self, name, args, kwargs):
        self.name = name
        ipu_api.check(name, args, kwargs)

    def __call__(self, *args, **kwargs):
        ipu_api.check(f"{self.name}.call", args, kwargs)
        return Tensor(), Tensor((4, 4))


class HostTable:
    def lookup(self, *args, **kwargs):
        ipu_api.check("embedding_ops.HostEmbedding.lookup", args, kwargs)
        return Tensor()

    def register(self, *args, **kwargs):
        ipu_api.check("embedding_ops.HostEmbedding.register", args, kwargs)
        return contextlib.nullcontext()


def operation(name):
    def call(*args, **kwargs):
        arguments = ipu_api.check(name, args, kwargs).arguments
        if "ctc_beam_search" in name:
            return Tensor((4, 1)), Tensor((4, 1)), Tensor((4, 1, 4))
        if name.endswith("create_host_embedding"):
            return HostTable()
        if name.endswith("codelet_expression_op"):
            return arguments["vertex_expression"](*arguments["args"])
        if name.endswith("cpu_user_operation"):
            outs = arguments["outs"]
            if len(outs["output_types"]) != len(outs["output_shapes"]):
                raise ValueError("as many types as shapes are wanted")
            return [Tensor(shape) for shape in outs["output_shapes"]]
        if name.endswith("outlined_function") or name.endswith("multi_conv"):
            return arguments["func"]
        if name.startswith("utils.") or name.startswith("config."):
            return Object(name)
        given = tensors_of(list(arguments.values()))
        rank = {"reduce_scatter_op.reduce_scatter": 1, "statistics_ops.histogram": 1,
                "statistics_ops.fixed_width_bins": 1}.get(name)
        if rank is not None and given[0].shape.rank != rank:
            raise ValueError(f"{name} takes a tensor of rank {rank}")
        return Tensor(given[0].shape) if given else Tensor((1,))
    return call


ipu = Names("ipu")
for name, (kind, _) in sorted(ipu_api.rows.items()):
    if kind == "method":
        continue
    if name.startswith("keras."):
        value = make(ipu_api, name)
        if name == "keras.PipelineStage":
            value = lambda stage: scope("stage")
    elif name == "config.IPUConfig":
        value = Options
    elif name == "ipu_strategy.IPUStrategy":
        value = Strategy
    elif name.startswith("rnn_ops."):
        value = lambda *args, name=name, **kwargs: Unit(name, args, kwargs)
    elif name == "scopes.ipu_shard":
        value = lambda index: contextlib.nullcontext()
    else:
        value = operation(name)
    put(ipu, name, value)
    if "_op" in name.split(".")[0]:
        put(ipu, "ops." + name, value)
for name, members in ipu_api.enums.items():
    for member in members:
        put(ipu, f"{name}.{member}", member)
        if "_ops" in name:
            put(ipu, f"ops.{name}.{member}", member)
