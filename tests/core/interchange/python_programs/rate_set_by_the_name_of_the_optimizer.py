# {"epochs": 4, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.2, 0.2, 0.02, 0.02]}}]}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
x, y = tf.zeros([64, 4]), tf.zeros([64], tf.int32)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
    opt = tf.keras.optimizers.SGD(0.2)
    model.compile(opt, "sparse_categorical_crossentropy")
    model.fit(x, y, batch_size=8, epochs=2)
    opt.learning_rate.assign(0.02)
    model.fit(x, y, batch_size=8, epochs=2)
