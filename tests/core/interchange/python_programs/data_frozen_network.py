# {"layer_count": 177, "trainable": 4475909, "stages": 2, "accumulation": 8}
"""Transfer learning: ResNet50 features frozen, pipelined over 2 IPUs like the manual."""
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.keras.applications.resnet50 import ResNet50, preprocess_input

N_CLASSES = 5
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()


def images(batch):
    x = tf.random.uniform((256, 160, 160, 3), maxval=255.0)
    y = tf.one_hot(tf.random.uniform((256,), maxval=N_CLASSES, dtype=tf.int32), N_CLASSES)
    ds = tf.data.Dataset.from_tensor_slices((preprocess_input(x), y))
    return ds.batch(batch, drop_remainder=True).repeat()


strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    backbone = ResNet50(include_top=False, weights="imagenet", input_shape=(160, 160, 3))
    for layer in backbone.layers:
        layer.trainable = layer.name.startswith("conv5_block3")
    x = tf.keras.layers.GlobalAveragePooling2D(name="gap")(backbone.output)
    out = tf.keras.layers.Dense(N_CLASSES, activation="softmax", name="classifier")(x)
    model = tf.keras.Model(inputs=backbone.inputs, outputs=out)

    assignments = model.get_pipeline_stage_assignment()
    second = False
    for a in assignments:
        a.pipeline_stage = 1 if second else 0
        second = second or a.layer.name == "conv4_block1_out"
    model.set_pipeline_stage_assignment(assignments)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    model.compile(tf.keras.optimizers.SGD(1e-3, momentum=0.9), "categorical_crossentropy",
                  steps_per_execution=8)
    model.fit(images(2), steps_per_epoch=64, epochs=2)
