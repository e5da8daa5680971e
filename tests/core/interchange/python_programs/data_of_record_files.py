# {"classes": ["InputLayer", "Conv2D", "Flatten", "Dense"], "input": [null, 28, 28, 1], "batch": 16}
import tensorflow as tf
from tensorflow import keras

FEATURES = {"image": tf.io.FixedLenFeature([784], tf.float32), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    return tf.reshape(example["image"], [28, 28, 1]), tf.cast(example["label"], tf.int32)


if tf.__version__ < "2.0":
    raise ImportError("TensorFlow 2 is needed")
samples = tf.data.TFRecordDataset(["a.tfrecord"]).map(parse).batch(16, drop_remainder=True)
model = keras.Sequential([keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(samples, steps_per_epoch=10)
