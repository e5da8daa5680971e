# {"config": [1, "units", 4]}
import tensorflow as tf
class A:
    def __init__(self): self.l = []
    def __iadd__(self, o):
        self.l.append(o)
        return self
    def __iter__(self): return iter(self.l)
    def __len__(self): return len(self.l)
a = A()
a += 4
N = list(a)[0]
l = [1]
k = l
k += [2]
assert l == [1, 2]
assert len(a) == 1
class G:
    def __getattr__(self, n): return 4
    def __getattribute__(self, n): return 5
    def __delitem__(self, k): pass
    def __format__(self, s): return "fmt" + s
    def __repr__(self): return "rep"
    def __index__(self): return 3
assert f"{G():x}" == "fmtx"
assert repr(G()) == "rep" and str(G()) == "rep"
assert [1, 2, 3, 4][G()] == 4
assert list(range(G())) == [0, 1, 2]

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

