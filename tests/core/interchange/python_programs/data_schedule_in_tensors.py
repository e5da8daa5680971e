# {"stages": 4, "accumulation": 16, "optimizer": "LossScaleOptimizer", "no_warning": "python/ignored"}
# class trainer with dict metrics; ipu norm layers; mixed precision; lr schedule
import tensorflow as tf
from tensorflow.python import ipu
tf.keras.mixed_precision.set_global_policy("float16")
class CosineWarmup(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, base, warmup, total):
        self.base, self.warmup, self.total = base, warmup, total
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        w = self.base * step / self.warmup
        import math
        c = 0.5 * self.base * (1.0 + tf.cos(math.pi * (step - self.warmup) / (self.total - self.warmup)))
        return tf.where(step < self.warmup, w, c)
def block(x, filters, stride=1):
    shortcut = x
    y = tf.keras.layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    y = ipu.keras.layers.GroupNormalization(groups=8)(y)
    y = tf.keras.layers.ReLU()(y)
    y = tf.keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)(y)
    y = ipu.keras.layers.GroupNormalization(groups=8)(y)
    if stride != 1 or x.shape[-1] != filters:
        shortcut = tf.keras.layers.Conv2D(filters, 1, strides=stride, use_bias=False)(x)
    return tf.keras.layers.ReLU()(tf.keras.layers.Add()([y, shortcut]))
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    inp = tf.keras.Input((32, 32, 3), batch_size=8)
    x = tf.keras.layers.Conv2D(32, 3, padding="same")(inp)
    for i, f in enumerate([32, 64, 128]):
        for j in range(2):
            x = block(x, f, stride=2 if j == 0 and i > 0 else 1)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    out = tf.keras.layers.Dense(100)(x)
    model = tf.keras.Model(inp, out)
    assignments = model.get_pipeline_stage_assignment()
    n = len(assignments)
    for k, a in enumerate(assignments):
        a.pipeline_stage = min(3, 4 * k // n)
    model.set_pipeline_stage_assignment(assignments)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=16, pipeline_schedule=ipu.ops.pipelining_ops.PipelineSchedule.Interleaved)
    opt = tf.keras.optimizers.SGD(CosineWarmup(0.1, 100, 1000), momentum=0.9, nesterov=True)
    opt = tf.keras.mixed_precision.LossScaleOptimizer(opt, dynamic=False, initial_scale=128)
    model.compile(opt, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"], steps_per_execution=128)
    (x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar100.load_data()
    train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).map(lambda a, b: (tf.cast(a, tf.float16) / 255., tf.cast(b, tf.int32))).shuffle(50000).batch(8, drop_remainder=True).repeat()
    model.fit(train, epochs=10, steps_per_epoch=6144)
