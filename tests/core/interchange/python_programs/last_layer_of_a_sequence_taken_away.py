# {"classes": ["InputLayer", "Dense", "Dense"], "parameters": 27}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensor_slices((tf.zeros([640, 4]), tf.zeros([640, 3])))
ds = ds.batch(8, drop_remainder=True)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
    model.add(tf.keras.layers.Dense(5)); model.pop(); model.add(tf.keras.layers.Dense(3))
    model.compile("sgd", "mse")
    if len(model.layers) != 2:
        raise RuntimeError
    while model.count_params() > 100:
        pass
    model.fit(ds.repeat(), epochs=2, steps_per_epoch=80, verbose=2 if __name__ == "__main__" else 0)
