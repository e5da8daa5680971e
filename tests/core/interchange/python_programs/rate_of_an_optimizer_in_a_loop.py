# {"steps_per_epoch": 10, "epochs": 6, "optimizer_config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [29], "values": [0.2, 0.02]}}}}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

strategy = ipu.ipu_strategy.IPUStrategy()
ds = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 4]), tf.zeros([64], tf.int32))).batch(8, drop_remainder=True).repeat()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
    opt = tf.keras.optimizers.SGD(0.2)
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    @tf.function(experimental_compile=True)
    def loop(it):
        for _ in tf.range(10):
            x, y = next(it)
            with tf.GradientTape() as tape:
                loss = ce(y, model(x, training=True))
            opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    it = iter(ds)
    for epoch in range(6):
        if epoch == 3: opt.learning_rate.assign(0.02)
        strategy.run(loop, args=(it,))

