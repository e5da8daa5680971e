# {"config": [1, "units", 4]}
import tensorflow as tf
class V:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
    def __lt__(self, o): return self.x < o.x
    def __hash__(self): return hash(self.x)
    def __add__(self, o): return V(self.x + (o.x if isinstance(o, V) else o))
    def __radd__(self, o): return V(self.x + o)
    def __matmul__(self, o): return self.x * o.x
    def __contains__(self, k): return k == self.x
    def __getitem__(self, i): return self.x + i
    def __neg__(self): return V(-self.x)
    def __int__(self): return self.x
    def __call__(self, y): return y + self.x
assert V(1) == V(1) and V(1) != V(2) and V(1) < V(2) and V(3) > V(2)
assert sum([V(1), V(2)]).x == 3
assert (2 + V(1)).x == 3
assert V(2) @ V(2) == 4
assert 2 in V(2)
assert V(2)[1] == 3
assert (-V(2)).x == -2
assert sorted([V(3), V(1)])[0].x == 1
assert max([V(3), V(1)]).x == 3
assert V(2) in [V(2)]
N = int(V(4))

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

