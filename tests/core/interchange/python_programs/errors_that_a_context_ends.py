# {"config": [1, "units", 4]}
import contextlib
import heapq
import tensorflow as tf


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.kind = kind
        return True


with contextlib.suppress(KeyError, IndexError):
    {}["units"]
quiet = Quiet()
with quiet:
    raise ValueError("left behind")
units = [1, 2, 3, 4, 5]
units[1:4] = [9]
units[:0] = [0b11, 0o17]
assert units == [3, 15, 1, 9, 5]
heapq.heapify(units)
assert heapq.heappop(units) == 1 and heapq.nlargest(2, units) == [15, 9]


def settings(width, scale=2):
    return locals()


assert settings(2) == {"width": 2, "scale": 2}
assert f"{'ab'!r:>6}" == "  'ab'"
m = tf.keras.Sequential([tf.keras.layers.Dense(settings(2)["width"] * 2, input_shape=(8,))])
m.compile("sgd", "mse")
