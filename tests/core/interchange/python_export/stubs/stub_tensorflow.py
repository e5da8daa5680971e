"""TensorFlow as far as exported programs use it: names, arguments and how tensors go from layer to layer."""
import os

from api_table import Api, Names, put
from stub_tensors import Shape, Tensor, tensors_of

EDITION = os.environ["STUB_EDITION"]
FOLDER = os.environ["STUB_TABLES"]
api = Api(os.path.join(FOLDER, "tensorflow_api.txt"), EDITION)
ipu_api = Api(os.path.join(FOLDER, "ipu_api.txt"), EDITION)

LAYER_ARGUMENTS = {"name", "trainable", "dtype", "dynamic", "input_shape", "batch_input_shape", "batch_size",
                   "input_dim", "weights", "activity_regularizer", "autocast", "implementation"}
custom_objects = {}
ACTIVATIONS = set("elu exponential hard_sigmoid linear relu selu sigmoid softmax softplus softsign tanh".split())
if EDITION == "2.4":
    ACTIVATIONS |= {"gelu", "swish"}


def check_activation(value):
    if isinstance(value, str) and value not in ACTIVATIONS and value not in custom_objects:
        raise ValueError(f"unknown activation: {value}")


def check_scope_name(name):
    import re
    if name is not None and not re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*", name):
        raise ValueError(f"'{name}' is not a valid scope name")


class Object:
    """Anything that is made and handed on."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if (self._name, name) == ("lookup.StaticHashTable", "lookup"):
            return lambda keys: Sample()
        raise AttributeError(f"{self._name} has no attribute '{name}'")


class Layer:
    row = None  # of a class of the libraries: its name in the table
    table = None

    def __init__(self, *args, **kwargs):
        own = dict(kwargs)
        if self.row is not None:
            bound = self.table.check(self.row, args, kwargs)
            self.arguments = {k: v for k, v in bound.arguments.items() if k != "kwargs"}
            own = bound.arguments.get("kwargs", {k: v for k, v in kwargs.items() if k in ("name", "dtype", "trainable")})
        elif args:
            raise TypeError("Layer() takes keyword arguments")
        else:
            self.arguments = {}
        unknown = set(own) - LAYER_ARGUMENTS
        if unknown:
            raise TypeError(f"{type(self).__name__}(): unexpected keyword arguments {sorted(unknown)}")
        for key, value in self.arguments.items():
            if "activation" in key:
                check_activation(value)
        self.name = own.get("name") or type(self).__name__.lower()
        check_scope_name(own.get("name"))
        self.dtype = own.get("dtype") or "float32"
        self._built = False

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None,
                   constraint=None):
        for extent in shape:
            if not isinstance(extent, int):
                raise TypeError(f"the weight {name} has the extent {extent!r}")
        return Tensor(shape)

    def build(self, input_shape):
        pass

    def get_config(self):
        return {"name": self.name}

    def call(self, inputs, *args, **kwargs):
        count = 1
        config = self.arguments
        inner = config.get("layer")
        if inner is not None:
            config = getattr(inner, "arguments", {})
        if config.get("return_state"):
            count = 3 if "LSTM" in type(inner or self).__name__ else 2
            count = {3: 5, 2: 3}[count] if type(self).__name__ == "Bidirectional" else count
        if kwargs.get("return_attention_scores"):
            count = 2
        if type(self).__name__ == "RecomputationCheckpoint" and isinstance(inputs, (list, tuple)):
            count = len(inputs)
        first = tensors_of(inputs)[0]
        return Tensor(first.shape) if count == 1 else [Tensor(first.shape) for _ in range(count)]

    def __call__(self, inputs, *args, **kwargs):
        if not tensors_of(inputs):
            raise TypeError(f"{self.name} is called on something that is no tensor")
        named = {key: value for key, value in kwargs.items() if key != "initial_state"}
        if EDITION == "2.1" and tensors_of([list(args), named]):
            raise TypeError("only the first argument of a call is tracked: put its tensors into a list")
        if not self._built:
            several = isinstance(inputs, (list, tuple))
            self.build([t.shape for t in inputs] if several else inputs.shape)
            self._built = True
        if type(self).__name__ == "Embedding" and type(self).call is Layer.call:
            return Tensor(tuple(inputs.shape) + (self.arguments["output_dim"],))
        outputs = self.call(inputs, *args, **kwargs)
        if type(self).call is not Layer.call:
            self.get_config()
            # Training and inference are other branches of a call.
            if "training" in type(self).call.__code__.co_varnames:
                self.call(inputs, *args, **dict(kwargs, training=True))
        if not tensors_of(outputs):
            raise TypeError(f"{self.name} answers no tensor")
        return outputs


def check_attention(self, query, value, key=None, attention_mask=None, return_attention_scores=False,
                    training=None):
    return Layer.call(self, query, return_attention_scores=return_attention_scores)


def layer_class(name, table, row):
    members = {"row": row, "table": table}
    if name == "MultiHeadAttention":
        members["call"] = check_attention
    return type(name, (Layer,), members)


class Model(Layer):
    def __init__(self, *args, **kwargs):
        bound = self.table.check(self.row, args, kwargs)
        self.arguments = {}
        self.outputs = 1
        check_scope_name(bound.arguments.get("name"))
        self.name = bound.arguments.get("name")
        self._built = True
        self.layers = {}
        if "outputs" in bound.arguments:
            for end in ("inputs", "outputs"):
                if not tensors_of(bound.arguments[end]):
                    raise TypeError(f"{end} of a model are tensors")
            self.outputs = len(tensors_of(bound.arguments["outputs"]))
        for entry in bound.arguments.get("layers") or []:
            self.take(entry)

    def take(self, entry):
        is_stage = isinstance(entry, (list, tuple))
        if is_stage != ("Pipeline" in self.row):
            raise TypeError(f"{self.row} takes {'lists of layers' if not is_stage else 'layers'}")
        for layer in entry if is_stage else [entry]:
            is_input = isinstance(layer, Tensor) and self.table is api
            if not isinstance(layer, Layer) and not is_input:
                raise TypeError(f"{layer!r} is no layer")
            if isinstance(layer, Layer):
                self.layers[layer.name] = layer
                # As Sequential calls them; three axes stand for any input.
                layer(Tensor((4, 4, 3)) if "Image" in layer.name else Tensor())

    def call(self, inputs, *args, **kwargs):
        return Tensor() if self.outputs == 1 else [Tensor() for _ in range(self.outputs)]

    def __getattr__(self, name):
        for table, row in ((api, f"model.{name}"), (ipu_api, f"model.{name}")):
            if row in table.rows:
                return lambda *args, **kwargs: self.told(table, row, args, kwargs)
        raise AttributeError(f"a model of TensorFlow {EDITION} has no {name}()")

    def told(self, table, row, args, kwargs):
        bound = table.check(row, args, kwargs)
        if row == "model.add":
            self.take(bound.arguments["layer"])
        if row in ("model.fit", "model.predict"):
            for data in ("x", "validation_data"):
                if not isinstance(bound.arguments.get(data, Dataset()), Dataset):
                    raise TypeError(f"{row}() takes a dataset")
            if "validation_split" in bound.arguments:
                raise ValueError("validation_split is only for arrays")
        if row == "model.get_layer":
            return Table()
        if row == "model.get_pipeline_stage_assignment":
            return [Object("assignment") for _ in range(1000)]
        return None


class Table:
    """A layer with a table of the host."""

    class table:
        @staticmethod
        def register():
            import contextlib
            return contextlib.nullcontext()


class Dataset:
    def __getattr__(self, name):
        row = f"dataset.{name}"
        if row not in api.rows:
            raise AttributeError(f"a dataset has no {name}()")

        def told(*args, **kwargs):
            bound = api.check(row, args, kwargs)
            if name == "map":
                function = bound.arguments["map_func"]
                function(*[Sample() for _ in range(function.__code__.co_argcount)])
            return self
        return told


class Sample(Tensor):
    def __getitem__(self, index):
        return Sample()


def answer(name, bound):
    """What a function gives."""
    arguments = bound.arguments
    if name.startswith("data.Dataset."):
        return Dataset()
    if name == "keras.Input":
        return Tensor((arguments.get("batch_size"), *arguments["shape"]))
    if name == "keras.activations.get":
        check_activation(arguments["identifier"])
        return lambda x: x
    if name == "keras.utils.get_custom_objects":
        return custom_objects
    if name == "keras.layers.deserialize":
        return layer_class("Deserialized", api, "keras.layers.Layer")(name=arguments["config"]["config"].get("name"))
    if name in ("reshape", "broadcast_to") and isinstance(arguments["shape"], (list, tuple)):
        return Tensor(arguments["shape"])
    if name == "expand_dims":
        return Tensor((*tensors_of(arguments["input"])[0].shape, 4))
    given = tensors_of(list(arguments.values()))
    return Tensor(given[0].shape) if given else Tensor()


def make(table, name):
    kind, _ = table.rows[name]
    last = name.rsplit(".", 1)[-1]
    if name == "keras.layers.Layer":
        return Layer
    if name.startswith("keras.layers.") and kind == "class":
        return layer_class(last, table, name)
    if name.startswith("keras.") and last in ("Model", "Sequential", "PipelineModel", "PipelineSequential"):
        return type(last, (Model,), {"row": name, "table": table})
    if name == "keras.callbacks.Callback":
        return type(last, (), {})
    if name == "data.TextLineDataset":
        return lambda *args, **kwargs: (table.check(name, args, kwargs), Dataset())[1]
    if kind == "class":
        return lambda *args, **kwargs: (table.check(name, args, kwargs), Object(name))[1]
    return lambda *args, **kwargs: answer(name, table.check(name, args, kwargs))


root = Names("tensorflow")
for name in sorted(api.rows):
    if api.rows[name][0] != "method":
        put(root, name, make(api, name))
for name, members in api.enums.items():
    for member in members:
        put(root, member if name == "types" else f"{name}.{member}", member)
put(root, "keras.layers.Layer", Layer)

for _name, _value in list(vars(root).items()):
    if not _name.startswith("_"):
        globals()[_name] = _value
__all__ = [name for name in vars(root) if not name.startswith("_")]
