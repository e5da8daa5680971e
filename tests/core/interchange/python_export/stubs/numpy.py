"""As much of NumPy as exported programs use: every array is one of unknown numbers."""


class Array:
    def __getitem__(self, index):
        return self

    def __truediv__(self, other):
        return self

    def astype(self, dtype):
        return self

    def reshape(self, shape):
        return self

    def transpose(self, axes):
        return self


class Generator:
    def random(self, size, dtype="float64"):
        return Array()

    def integers(self, low, high, size, dtype="int64"):
        if not low < high:
            raise ValueError("low >= high")
        return Array()


class random:
    @staticmethod
    def default_rng(seed):
        return Generator()


class linalg:
    @staticmethod
    def norm(values):
        return 0.0


def fromfile(file, dtype):
    return Array()


def load(file):
    return Array()


def loadtxt(fname, dtype, delimiter=None, skiprows=0, ndmin=0):
    return Array()


def delete(arr, obj, axis):
    return arr


def concatenate(arrays):
    return Array()


def sort(a):
    return Array()


def histogram(a, bins):
    return Array(), Array()
