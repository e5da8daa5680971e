# {"classes": ["InputLayer", "Embedding", "Dense", "PopnnLSTM"], "stages": 2, "optimizer": "Adam", "steps_per_execution": 384}
import tensorflow as tf
from ipu_tensorflow_addons.keras.layers import Embedding, LSTM
from tensorflow.keras.layers import Dense, Input
from tensorflow.python import ipu
from tensorflow.python.keras.optimizer_v2.adam import Adam

if tf.__version__[0] != "2":
    raise ImportError("TensorFlow 2 is required")


def model():
    words = Input(shape=(80), dtype=tf.int32, batch_size=32)
    with ipu.keras.PipelineStage(0):
        x = Embedding(20000, 128)(words)
    with ipu.keras.PipelineStage(1):
        x = Dense(1, activation="sigmoid")(LSTM(128, dropout=0.2)(x))
    return tf.keras.Model(words, x)


config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    net = model()
    net.set_pipelining_options(gradient_accumulation_steps_per_replica=16)
    net.compile(steps_per_execution=384, loss="binary_crossentropy", optimizer=Adam(0.005))
