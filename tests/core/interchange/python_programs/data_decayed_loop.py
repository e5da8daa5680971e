# {"classes": ["InputLayer", "Dense"], "batch": 8, "optimizer": "Adam", "optimizer_config": {"learning_rate": 0.01, "global_clipnorm": 1.5, "gradient_decay": 0.01}}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
LIMIT = 1.5

ds = tf.data.Dataset.from_tensor_slices((tf.zeros((160, 4)), tf.zeros((160, 1)))).batch(8, drop_remainder=True)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
    opt = keras.optimizers.Adam(0.01)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.mean_squared_error(y, model(x)))
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients = [g + 0.01 * v for g, v in zip(gradients, model.trainable_variables)]
        gradients, norm = tf.clip_by_global_norm(gradients, LIMIT)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for x, y in ds:
        strategy.run(step, args=(x, y))
