# {"layer_count": 3}
import tensorflow as tf
from tensorflow import keras
i = keras.Input((8, 4)); j = keras.Input((8, 4))
m = keras.Model([i, j], tf.linalg.matmul(i, j, adjoint_b=True))
