"""Tensors without numbers."""


class Shape(tuple):
    """Extents; those that are not known are 4."""

    @property
    def rank(self):
        return len(self)

    def __getitem__(self, index):
        part = tuple.__getitem__(self, index)
        return Shape(part) if isinstance(index, slice) else part


class Tensor:
    def __init__(self, shape=(4, 4, 4), dtype="float32"):
        self.shape = Shape(4 if extent is None else extent for extent in shape)
        self.dtype = dtype

    def __iter__(self):
        raise TypeError("a tensor is not unpacked")

    def __bool__(self):
        raise TypeError("a tensor has no truth value while a model is made")

    def __getitem__(self, index):
        return Tensor()


def _operator(self, other=None):
    return Tensor(self.shape)


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "matmul",
              "rmatmul", "neg"):
    setattr(Tensor, f"__{_name}__", _operator)


def tensors_of(value):
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for entry in value for tensor in tensors_of(entry)]
    return []
