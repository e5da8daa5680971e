# {"metrics": [{"class_name": "BinaryAccuracy", "config": {"name": "acc", "dtype": null, "threshold": 0.3}}, {"class_name": "TopKCategoricalAccuracy", "config": {"k": 2, "name": "top"}}]}
import tensorflow as tf
from tensorflow import keras
m = keras.Sequential([keras.layers.Dense(4, input_shape=(8,))])
m.compile("sgd", "mse", metrics=[keras.metrics.BinaryAccuracy("acc", None, 0.3),
                                 keras.metrics.TopKCategoricalAccuracy(2, "top")])
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
