# {"warning": "python/predicts-only", "batch": 20, "steps_per_epoch": 400}
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.predict(np.zeros((8000, 8), np.float32), batch_size=20)
