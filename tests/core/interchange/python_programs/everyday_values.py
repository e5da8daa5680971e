# {"config": [1, "units", 4]}
import tensorflow as tf
def g(n):
    for i in range(n):
        yield i
    return
assert list(g(3)) == [0, 1, 2] and sum(x for x in g(3)) == 3
it = iter([1, 2])
assert next(it) == 1 and next(it) == 2 and next(it, 7) == 7
d = {"a": 1}
for k, v in d.items(): pass
assert (k, v) == ("a", 1)
try:
    d["z"]
except KeyError as e:
    N = 4
else:
    N = 5
finally:
    M = 1
while True:
    break
else:
    N = 9
for i in range(2): pass
else: N += 0
x = [i * j for i in range(3) if i for j in range(2)]
assert x == [0, 1, 0, 2]
s = {1, 2} | {3} - {1}
assert s == {1, 2, 3} and {1} < s and not s.isdisjoint({1})
assert "a,b".split(",") == ["a", "b"] and " x ".strip() == "x" and "ab".upper() == "AB"
assert "{:>5}|{0}".replace("0", "") and "{a} {b}".format(a=1, b=2) == "1 2"
assert [3, 1, 2].index(1) == 1 and sorted([3, 1, 2], reverse=True) == [3, 2, 1]
assert (1, 2) < (1, 3) and [1] + [2] == [1, 2] and "ab" * 2 == "abab"
assert 7 // 2 == 3 and -7 // 2 == -4 and 7 % -3 == -2 and 2 ** -1 == 0.5 and 1 / 4 == 0.25
assert 5 & 3 == 1 and 5 | 3 == 7 and 5 ^ 3 == 6 and ~5 == -6 and 1 << 4 == 16
assert 1 < 2 < 3 and not 1 < 3 < 2 and (1 if 0 else 2) == 2
assert None is None and True == 1 and int("7") == 7 and float("1e-3") == 0.001
assert isinstance([], (list, tuple)) and callable(len) and hasattr("a", "upper")
assert dict(a=1) == {"a": 1} and dict([("a", 1)]) == {"a": 1} and dict(zip("ab", (1, 2))) == {"a": 1, "b": 2}
assert list(enumerate("ab", 1)) == [(1, "a"), (2, "b")] and list(reversed([1, 2])) == [2, 1]
assert list(filter(None, [0, 1])) == [1] and list(map(lambda a, b: a + b, [1], [2])) == [3]
assert "%d %5.2f" % (1, 2.0) == "1  2.00" and "a" in "abc" and "abc"[::-1] == "cba"
assert str(1.0) == "1.0" and str(1e20) == "1e+20" and repr("a") == "'a'" and str([1, "a"]) == "[1, 'a']"
global_n = 1
def h():
    global global_n
    global_n = 4
h()
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 4
    inner()
    return n
assert outer() == 4 and global_n == 4

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

