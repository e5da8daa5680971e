# {"stages": 2, "stage_list": [0, 0, 1], "schedule": "Interleaved", "accumulation": 8, "batch": 32, "optimizer": "SGD"}
import argparse
from functools import partial

import tensorflow.compat.v1 as tf
from tensorflow.keras import layers
from tensorflow.python import ipu

tf.disable_v2_behavior()


def layer1_flatten(rate, images, labels):
    return rate, layers.Flatten()(images), labels


def layer2_hidden(rate, x, labels):
    return rate, layers.Dense(32, activation=tf.nn.relu)(x), labels


def layer3_logits(rate, x, labels):
    logits = layers.Dense(10)(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return rate, loss


layer_size = 32


def discover():
    found = []
    symbols = globals()
    for name in [key for key in symbols if key.startswith("layer")]:
        try:
            number, title = name[len("layer"):].split("_")
            found.append({"function": symbols[name], "title": title, "number": int(number)})
        except ValueError:
            print(f"{name} is no layer")
    found.sort(key=lambda entry: entry["number"])
    return found


def stage(functions, *values):
    for function in functions:
        values = function(*values)
    return values


def optimizer_function(name, rate, loss):
    return ipu.pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(rate), loss)


def parse():
    schedules = [p.name for p in ipu.pipelining_ops.PipelineSchedule]
    parser = argparse.ArgumentParser()
    parser.add_argument("--schedule", choices=schedules, default=schedules[1])
    return parser.parse_args()


args = parse()
(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train, y_train = x_train.astype("float32") / 255.0, y_train.astype("int32")
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(32, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def model(size, rate):
    functions = [entry["function"] for entry in discover()]
    assert size == 2
    return ipu.pipelining_ops.pipeline(
        computational_stages=[partial(stage, functions[:size]), partial(stage, functions[size:])],
        gradient_accumulation_count=8,
        inputs=[rate],
        infeed_queue=infeed,
        outfeed_queue=outfeed,
        optimizer_function=partial(optimizer_function, "sgd"),
        pipeline_schedule=next(p for p in ipu.pipelining_ops.PipelineSchedule if p.name == args.schedule),
        outfeed_loss=True,
    )


with tf.device("cpu"):
    learning_rate = tf.placeholder(tf.float32, [])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    compiled = ipu.ipu_compiler.compile(partial(model, 2), inputs=[learning_rate])
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(infeed.initializer)
    session.run(compiled, {learning_rate: 0.01})
