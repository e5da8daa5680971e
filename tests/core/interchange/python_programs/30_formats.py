# {"classes": ["InputLayer", "Dense"]}
import tensorflow as tf
from tensorflow.python import ipu
assert "{:,}".format(1234567) == "1,234,567"
assert "{:_}".format(1234567) == "1_234_567"
assert "{:,.1f}".format(1234567.26) == "1,234,567.3"
assert "{:.1%}".format(0.1234) == "12.3%"
assert "{:%}".format(0.5) == "50.000000%"
assert "{!r}".format("a") == "'a'"
assert "{0!r:>6}|{1!s:<4}|".format("a", 7) == "   'a'|7   |"
assert "{:>8}|{:<8}|{:^8}|{:*^9}|".format("ab", "cd", "ef", 5) == "      ab|cd      |   ef   |****5****|"
assert "{:+d} {: d} {:05d} {:=+6d}".format(3, 4, -42, 7) == "+3  4 -0042 +    7"
assert "{:x} {:X} {:#x} {:08b} {:o} {:_b}".format(255, 255, 255, 10, 8, 65535) == "ff FF 0xff 00001010 10 1111_1111_1111_1111"
assert "{:e} {:.2E} {:g} {:.3g}".format(12345.678, 0.00012, 1e-7, 2.0) == "1.234568e+04 1.20E-04 1e-07 2"
assert "{:.3}".format("abcdef") == "abc"
assert "{:.3} {:.2} {:.4}".format(12.0, 123.0, 3.14159) == "12.0 1.2e+02 3.142"
assert "{:8.3f}|{:<8.2f}|".format(3.14159, 2.5) == "   3.142|2.50    |"
assert "{:{w}.{p}f}".format(3.14159, w=8, p=2) == "    3.14"
assert "{:{}}|".format("a", 4) == "a   |"
assert "{{}} {name:>5}".format(name="x") == "{}     x"
assert "{:5}|{:5}|".format(True, 3) == "    1|    3|"
assert "%5s|%-5s|%05.1f|%+d|%%" % ("a", "b", 2.25, 3) == "    a|b    |002.2|+3|%"
assert f"{1234567:,}" == "1,234,567" and f"{0.25:.0%}" == "25%" and f"{'a'!r:>5}" == "  'a'"
assert format(1e6, ",.0f") == "1,000,000" and format(3, "03d") == "003"
assert not isinstance(tf.nn.relu, int) and not isinstance(tf.keras.layers.Dense, (int, str, list))
assert callable(tf.nn.relu) and not isinstance(len, float)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(int("{:d}".format(5)), input_shape=(4,))])
    m.compile("sgd", "mse")
    m.fit(tf.zeros((32, 4)), tf.zeros((32, 5)), batch_size=8)
