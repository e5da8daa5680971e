# {"batch": 32, "input": [null, 12], "layer_count": 3, "no_warning": "python/foreign"}
import getopt
import math
import sys
import tensorflow as tf
def main(argv):
    batch, units = 32, 20
    try:
        options, rest = getopt.getopt(argv, "hb:u:", ["help", "batch=", "units="])
    except getopt.GetoptError as error:
        print(error)
        sys.exit(2)
    for option, value in options:
        if option in ("-b", "--batch"):
            batch = int(value)
        elif option in ("-u", "--units"):
            units = int(value)
    assert math.isclose(sum([0.1] * 10), 1.0, rel_tol=1e-9)
    model = tf.keras.Sequential([tf.keras.Input((12,)), tf.keras.layers.Dense(units * math.gcd(4, 6)),
                                 tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.zeros((320, 12)), tf.zeros((320, 1)), batch_size=batch)
main(sys.argv[1:])
