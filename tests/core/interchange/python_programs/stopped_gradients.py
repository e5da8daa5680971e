# {"classes": ["InputLayer", "Dense", "TFOpLambda", "Dense", "Add", "TFOpLambda", "TFOpLambda"]}
import tensorflow as tf
from tensorflow.python import ipu
i = tf.keras.Input((3,))
frozen = tf.stop_gradient(tf.keras.layers.Dense(4)(i))
x = tf.keras.layers.Dense(4)(frozen)
x = tf.keras.layers.Add()([x, tf.keras.backend.stop_gradient(tf.round(x))])
model = tf.keras.Model(i, x)
