# {"optimizer": "SGD", "batch": 16, "steps_per_execution": 8, "epochs": 3}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu


def main() -> int:
    config = ipu.config.IPUConfig()
    config.auto_select_ipus = 1
    config.configure_ipu_system()
    with ipu.ipu_strategy.IPUStrategy().scope():
        model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
        model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse", steps_per_execution=8)
        data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 4), np.float32), np.zeros((512, 2), np.float32)))
        model.fit(data.batch(16, drop_remainder=True).repeat(), epochs=3, steps_per_epoch=32)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
