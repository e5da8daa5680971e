# {"stages": 2, "accumulation": 20, "batch": 50, "epochs": 2, "optimizer_config": {"learning_rate": 0.001}}
from absl import app, flags
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

FLAGS = flags.FLAGS
flags.DEFINE_integer("batch_size", 50, "Micro batch size")
flags.DEFINE_integer("accumulate", default=20, help="Gradient accumulation")
flags.DEFINE_float("lr", 1e-3, "Learning rate")
flags.DEFINE_bool("double", False, "Train twice as long")


def main(argv):
    del argv
    cfg = ipu.config.IPUConfig()
    cfg.auto_select_ipus = 2
    cfg.configure_ipu_system()
    with ipu.ipu_strategy.IPUStrategy().scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(64, input_shape=(28,)), tf.keras.layers.Dense(10)])
        model.set_pipeline_stage_assignment([0, 1])
        model.set_pipelining_options(gradient_accumulation_steps_per_replica=FLAGS.accumulate)
        model.compile(tf.keras.optimizers.Adam(FLAGS.lr), "mse", steps_per_execution=2 * FLAGS.accumulate)
        model.fit(np.zeros((4000, 28)), np.zeros((4000, 10)), batch_size=FLAGS.batch_size,
                  epochs=4 if FLAGS.double else 2)


if __name__ == "__main__":
    app.run(main)
