# {"no_warning": "python/ignored", "metrics": ["AUC", "Recall"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid", input_shape=(8,))])
    model.compile(
        "adam",
        "binary_crossentropy",
        metrics=[
            keras.metrics.AUC(curve="ROC", multi_label=False, from_logits=False),
            keras.metrics.Recall(top_k=None),
        ],
    )
