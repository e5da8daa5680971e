// Layers that TensorFlow 2.4 or 2.1 does not have, from functions that both editions have.
#include "core/interchange/python/writer/layers/written_layers.h"

#include <array>

namespace core {

namespace {

constexpr std::string_view reversibleEmbedding = R"(def build(self, input_shape):
    self.embeddings = self.add_weight(
        "embeddings", (self.input_dim, self.output_dim),
        initializer=self.embeddings_initializer)
    if not self.tie_weights:
        self.reverse_embeddings = self.add_weight(
            "reverse_embeddings", (self.output_dim, self.input_dim),
            initializer=self.embeddings_initializer)
    super().build(input_shape)

def call(self, inputs, reverse=False):
    if not reverse:
        return ipu.embedding_ops.embedding_lookup(self.embeddings, tf.cast(inputs, tf.int32))
    table = tf.transpose(self.embeddings) if self.tie_weights else self.reverse_embeddings
    return tf.tensordot(inputs, table, 1)
)";

constexpr std::string_view positionEmbedding = R"(def build(self, input_shape):
    self.embeddings = self.add_weight(
        "embeddings", (self.sequence_length, input_shape[-1]), initializer=self.initializer)
    super().build(input_shape)

def call(self, inputs):
    return tf.broadcast_to(self.embeddings[:inputs.shape[-2]], tf.shape(inputs))
)";

constexpr std::string_view rescaling = R"(def call(self, inputs):
    return tf.cast(inputs, self.dtype) * self.scale + self.offset
)";

constexpr std::string_view featureNormalization = R"(def build(self, input_shape):
    axes = self.axis if isinstance(self.axis, list) else [] if self.axis is None else [self.axis]
    axes = sorted(axis % len(input_shape) for axis in axes)
    if self.mean is None:
        kept = [input_shape[axis] for axis in axes]
        self.mean = self.add_weight("mean", kept, initializer="zeros", trainable=False)
        self.variance = self.add_weight("variance", kept, initializer="ones", trainable=False)
        self.count = self.add_weight(
            "count", (), dtype=tf.int32, initializer="zeros", trainable=False)
    self.kept = [size if axis in axes else 1 for axis, size in enumerate(input_shape)]
    super().build(input_shape)

def call(self, inputs):
    mean, variance = tf.reshape(self.mean, self.kept), tf.reshape(self.variance, self.kept)
    return (inputs - mean) / tf.maximum(tf.sqrt(variance), 1e-7)
)";

constexpr std::string_view maxout = R"(def build(self, input_shape):
    self.place = self.axis % len(input_shape)
    self.groups = [-1 if size is None else size for size in input_shape]
    self.groups[self.place:self.place + 1] = [
        self.groups[self.place] // self.num_units, self.num_units]
    super().build(input_shape)

def call(self, inputs):
    return tf.reduce_max(tf.reshape(inputs, self.groups), self.place)
)";

constexpr std::string_view depthwiseConvolution = R"(@staticmethod
def only(extent):
    return extent[0] if isinstance(extent, (list, tuple)) else extent

def build(self, input_shape):
    width = self.only(self.kernel_size)
    self.depthwise_kernel = self.add_weight(
        "depthwise_kernel", (width, input_shape[-1], self.depth_multiplier),
        initializer=self.depthwise_initializer)
    if self.use_bias:
        self.bias = self.add_weight(
            "bias", (input_shape[-1] * self.depth_multiplier,),
            initializer=self.bias_initializer)
    super().build(input_shape)

def call(self, inputs):
    stride, dilation = self.only(self.strides), self.only(self.dilation_rate)
    padding = self.padding.upper()
    if padding == "CAUSAL":
        ahead = dilation * (self.depthwise_kernel.shape[0] - 1)
        inputs, padding = tf.pad(inputs, [[0, 0], [ahead, 0], [0, 0]]), "VALID"
    # One row of an image: its height is 1.
    outputs = tf.nn.depthwise_conv2d(
        tf.expand_dims(inputs, 1), tf.expand_dims(self.depthwise_kernel, 0),
        [1, stride, stride, 1], padding, dilations=[1, dilation])
    outputs = tf.squeeze(outputs, [1])
    if self.use_bias:
        outputs = tf.nn.bias_add(outputs, self.bias)
    return tf.keras.activations.get(self.activation)(outputs)
)";

constexpr std::string_view causalAttention =
    R"(def call(self, query, value, use_causal_mask=False, **kwargs):
    if use_causal_mask:
        # No position attends to those behind it.
        ones = tf.ones((1, query.shape[1], value.shape[1]))
        kwargs["attention_mask"] = tf.linalg.band_part(ones, -1, 0)
    return super().call(query, value, **kwargs)
)";

constexpr std::string_view attentionCode = R"(def build(self, input_shape):
    width = input_shape[0][-1]
    value_dim = self.value_dim or self.key_dim
    parts = {"query": self.key_dim, "key": self.key_dim, "value": value_dim}
    for part, size in parts.items():
        setattr(self, part + "_kernel", self.add_weight(
            part + "_kernel", (width, self.num_heads, size),
            initializer=self.kernel_initializer))
        if self.use_bias:
            setattr(self, part + "_bias", self.add_weight(
                part + "_bias", (self.num_heads, size), initializer=self.bias_initializer))
    self.output_kernel = self.add_weight(
        "output_kernel", (self.num_heads, value_dim, width),
        initializer=self.kernel_initializer)
    if self.use_bias:
        self.output_bias = self.add_weight(
            "output_bias", (width,), initializer=self.bias_initializer)
    super().build(input_shape)

def project(self, inputs, part):
    outputs = tf.einsum("btc,chd->bthd", inputs, getattr(self, part + "_kernel"))
    return outputs + getattr(self, part + "_bias") if self.use_bias else outputs

def call(self, inputs, use_causal_mask=False, training=None):
    query, value, key = inputs[0], inputs[1], inputs[-1]
    queries = self.project(query, "query") / self.key_dim ** 0.5
    keys = self.project(key, "key")
    values = self.project(value, "value")
    scores = tf.einsum("bshd,bthd->bhts", keys, queries)
    if use_causal_mask:
        # No position attends to those behind it.
        ones = tf.ones((query.shape[1], value.shape[1]), scores.dtype)
        mask = tf.linalg.band_part(ones, -1, 0)
        scores -= 1e4 * (1 - mask)
    scores = tf.nn.softmax(scores)
    if training and self.dropout > 0:
        scores = tf.nn.dropout(scores, self.dropout)
    outputs = tf.einsum("bhts,bshd->bthd", scores, values)
    outputs = tf.einsum("bthd,hdc->btc", outputs, self.output_kernel)
    return outputs + self.output_bias if self.use_bias else outputs
)";

constexpr std::string_view identity = R"(def call(self, inputs):
    return tf.identity(inputs)
)";
constexpr std::string_view unitNormalization = R"(def call(self, inputs):
    return tf.math.l2_normalize(inputs, axis=self.axis)
)";
constexpr std::string_view rootMeanSquare = R"(def build(self, input_shape):
    axes = self.axis if isinstance(self.axis, list) else [self.axis]
    self.scale = self.add_weight(
        "scale", [input_shape[axis] for axis in axes], initializer="ones")
    super().build(input_shape)

def call(self, inputs):
    mean = tf.reduce_mean(tf.square(inputs), axis=self.axis, keepdims=True)
    return inputs * tf.math.rsqrt(mean + self.epsilon) * self.scale
)";
constexpr std::string_view variable = R"(def build(self, input_shape):
    self.value = self.add_weight("value", self.shape, initializer=self.initializer)
    super().build(input_shape)

def call(self, inputs):
    return tf.identity(self.value)
)";
constexpr std::string_view layerScale = R"(def build(self, input_shape):
    self.gamma = self.add_weight(
        "gamma", (self.projection_dim,), initializer=tf.keras.initializers.Constant(self.init_values))
    super().build(input_shape)

def call(self, inputs):
    return inputs * self.gamma
)";
constexpr std::string_view stochasticDepth = R"(def call(self, inputs, training=None):
    if not training:
        return inputs
    # Whole samples of the batch are dropped.
    samples = [tf.shape(inputs)[0]] + [1] * (len(inputs.shape) - 1)
    kept = tf.floor(tf.random.uniform(samples) + 1 - self.drop_path_rate)
    return inputs * tf.cast(kept, inputs.dtype) / (1 - self.drop_path_rate)
)";
constexpr std::string_view scaledSum = R"(def call(self, inputs):
    shortcut, branch = inputs
    return shortcut + branch * self.scale
)";

constexpr std::array kerasLayers = {
    WrittenLayer{"CustomScaleLayer", "scale", scaledSum},
    WrittenLayer{"DepthwiseConv1D",
                 "kernel_size strides padding depth_multiplier dilation_rate activation use_bias "
                 "depthwise_initializer bias_initializer",
                 depthwiseConvolution},
    WrittenLayer{"Identity", "", identity},
    WrittenLayer{"LayerScale", "init_values projection_dim", layerScale},
    WrittenLayer{"Maxout", "num_units axis", maxout},
    WrittenLayer{"MultiHeadAttention",
                 "num_heads key_dim value_dim dropout use_bias kernel_initializer bias_initializer",
                 attentionCode},
    WrittenLayer{"Normalization", "axis mean variance", featureNormalization},
    WrittenLayer{"PositionEmbedding", "sequence_length initializer", positionEmbedding},
    WrittenLayer{"RMSNormalization", "axis epsilon", rootMeanSquare},
    WrittenLayer{"Rescaling", "scale offset", rescaling},
    WrittenLayer{"ReversibleEmbedding", "input_dim output_dim embeddings_initializer tie_weights",
                 reversibleEmbedding},
    WrittenLayer{"StochasticDepth", "drop_path_rate", stochasticDepth},
    WrittenLayer{"UnitNormalization", "axis", unitNormalization},
    WrittenLayer{"Variable", "shape initializer", variable},
};

constexpr WrittenLayer causal{"MultiHeadAttention", "", causalAttention,
                              "tf.keras.layers.MultiHeadAttention"};

} // namespace

std::span<const WrittenLayer> writtenKerasLayers() {
    return kerasLayers;
}

const WrittenLayer& writtenCausalAttention() {
    return causal;
}

} // namespace core
