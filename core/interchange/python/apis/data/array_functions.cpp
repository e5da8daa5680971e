// Functions that make arrays, and what they say about their extents. One row per function.
#include "core/interchange/python/apis/data/array_functions.h"

#include "core/interchange/python/apis/data/constants/constant_functions.h"
#include "core/interchange/python/apis/data/constants/seeded_draws.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/part_functions.h"
#include "core/interchange/python/apis/data/product_shapes.h"
#include "core/interchange/python/apis/data/shape_functions.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

const PythonValue& argument(const PythonApiCall& call, std::size_t position) {
    static const PythonValue none;
    return position < call.arguments.list.size() ? call.arguments.list[position] : none;
}

PythonValue ofShape(const PythonApiCall& call, const char* keyword, std::size_t position) {
    const PythonValue* shape = call.arguments.find(keyword, position);
    return arrayOfShape(shape == nullptr || shape->isNone() ? Json::array() : writtenShape(*shape));
}

PythonValue shapeFirst(const PythonApiCall& call) {
    return ofShape(call, call.arguments.keyword("dims") != nullptr ? "dims" : "shape", 0);
}

/// np.random.uniform(low, high, size), and tf.random.uniform(shape, …).
PythonValue drawn(const PythonApiCall& call) {
    if (call.path.starts_with("tf."))
        return ofShape(call, "shape", 0);
    constexpr std::size_t sizeAt = 2;
    const PythonValue* size = call.arguments.find("size", sizeAt);
    return size == nullptr ? PythonValue(arrayOfShape(Json::array())) : ofShape(call, "size", sizeAt);
}

PythonValue sizeFirst(const PythonApiCall& call) {
    return ofShape(call, "size", 0);
}

PythonValue sizeSecond(const PythonApiCall& call) {
    return ofShape(call, "size", 1);
}

/// multivariate_normal(mean, covariance, size) and dirichlet(alpha, size): a vector for each element.
PythonValue drawnVectors(const PythonApiCall& call) {
    const std::size_t sizeAt = call.name() == "dirichlet" ? 1 : 2;
    const PythonValue* size = call.arguments.find("size", sizeAt);
    const Json vector = call.arguments.list.empty() ? Json() : shapeOf(call.arguments.list[0]);
    Json shape = size == nullptr ? Json::array() : writtenShape(*size);
    if (!shape.is_array() || !vector.is_array() || vector.size() != 1)
        return PythonData();
    shape.push_back(vector[0]);
    return arrayOfShape(std::move(shape));
}

/// rand(10, 28, 28).
PythonValue extentsAsArguments(const PythonApiCall& call) {
    return arrayOfShape(writtenShape(pythonList(call.arguments.list, true)));
}

/// permutation(n), and of an array: its rows in another order.
PythonValue permuted(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("x", 0);
    if (given != nullptr && !given->isNumber() && shapeOf(*given) != Json::array())
        return likeArray(*given, shapeOf(*given));
    return arrayOfShape(Json::array({given != nullptr && given->isWhole() ? given->constant() : Json()}));
}

PythonValue arrayRange(const PythonApiCall& call) {
    const auto number = [&](std::size_t at) { return argument(call, at).constant().get<double>(); };
    for (const PythonValue& bound : call.arguments.list)
        if (!bound.isNumber())
            return arrayOfShape(Json::array({nullptr}));
    if (call.arguments.list.empty())
        return arrayOfShape(Json::array({nullptr}));
    const bool hasStart = call.arguments.list.size() > 1;
    const double start = hasStart ? number(0) : 0;
    const double step = call.arguments.list.size() > 2 ? number(2) : 1;
    const double count = step == 0 ? 0 : std::ceil((number(hasStart ? 1 : 0) - start) / step);
    constexpr double most = 1e15;
    return arrayOfShape(Json::array({static_cast<std::int64_t>(std::clamp(count, 0.0, most))}));
}

PythonValue evenly(const PythonApiCall& call) {
    constexpr std::size_t countAt = 2;
    constexpr int byDefault = 50;
    const PythonValue* count = call.arguments.find("num", countAt);
    return arrayOfShape(Json::array({count == nullptr ? Json(byDefault) : count->constant()}));
}

/// The first argument in the same extents, or as many where they are not known.
PythonValue same(const PythonApiCall& call) {
    const PythonValue& array = argument(call, 0);
    PythonData made = likeArray(array, shapeOf(array));
    if (const auto* data = array.as<PythonData>(); data != nullptr && data->element == nullptr)
        made.count = data->count;
    return made;
}

/// tf.linalg.normalize() answers the norm as well, tf.keras.utils.normalize() does not.
PythonValue withNorm(const PythonApiCall& call) {
    PythonValue made = same(call);
    return call.path.find("linalg.") == std::string::npos ? made : pythonList({made, PythonData()}, true);
}

PythonValue elementwise(const PythonApiCall& call) {
    const bool isSecond = !argument(call, 0).is<PythonData>() && argument(call, 1).is<PythonData>();
    return likeArray(argument(call, isSecond ? 1 : 0),
                     broadcastShapes(shapeOf(argument(call, 0)), shapeOf(argument(call, 1))));
}

PythonValue truths(const PythonApiCall& call) {
    // One operand that the program says may decide it.
    const auto decides = [&](bool truth) {
        return std::ranges::any_of(call.arguments.list,
                                   [&](const PythonValue& value) { return value.constant() == truth; });
    };
    if ((call.name() == "logical_and" && decides(false)) || (call.name() == "logical_or" && decides(true)))
        return pythonConstant(call.name() == "logical_or");
    auto made = call.arguments.list.size() > 1 ? elementwise(call) : same(call);
    std::get<PythonData>(made.content).areWhole = false;
    return made;
}

/// isin(a, values): of each in the first.
PythonValue truthsOfFirst(const PythonApiCall& call) {
    PythonValue made = likeArray(argument(call, 0), shapeOf(argument(call, 0)));
    if (auto* data = std::get_if<PythonData>(&made.content))
        data->areWhole = false; // a mask, no places
    return made;
}

PythonValue reshape(const PythonApiCall& call) {
    const PythonValue* target = call.arguments.find("newshape", 1);
    target = target == nullptr ? call.arguments.keyword("shape") : target;
    return likeArray(argument(call, 0),
                     target == nullptr ? Json()
                                       : reshapedShape(shapeOf(argument(call, 0)), writtenShape(*target)));
}

PythonValue expand(const PythonApiCall& call) {
    Json shape = shapeOf(argument(call, 0));
    const PythonValue* axis = call.arguments.find("axis", 1);
    if (!shape.is_array() || axis == nullptr || !axis->isWhole())
        return likeArray(argument(call, 0), nullptr);
    const auto at = axis->constant().get<std::int64_t>();
    const auto size = static_cast<std::int64_t>(shape.size());
    shape.insert(shape.begin() + std::clamp<std::int64_t>(at < 0 ? at + size + 1 : at, 0, size), 1);
    return likeArray(argument(call, 0), std::move(shape));
}

PythonValue squeeze(const PythonApiCall& call) {
    const Json shape = shapeOf(argument(call, 0));
    const PythonValue* axis = call.arguments.find("axis", 1);
    if (axis != nullptr && !axis->isNone())
        return likeArray(argument(call, 0), reducedShape(shape, axis, false));
    Json made = Json::array();
    for (const Json& extent : shape)
        if (extent != 1)
            made.push_back(extent);
    return likeArray(argument(call, 0), shape.is_array() ? std::move(made) : Json());
}

PythonValue transpose(const PythonApiCall& call) {
    const Json shape = shapeOf(argument(call, 0));
    const PythonValue* order = call.arguments.find("axes", 1);
    order = order == nullptr ? call.arguments.keyword("perm") : order;
    if (!shape.is_array())
        return likeArray(argument(call, 0), nullptr);
    Json made = Json::array();
    if (order == nullptr || !order->is<PythonList>()) {
        for (std::size_t i = shape.size(); i > 0; --i)
            made.push_back(shape[i - 1]);
        return likeArray(argument(call, 0), std::move(made));
    }
    for (const PythonValue& axis : order->items()) {
        const auto at = axisAt(&axis, shape.size());
        made.push_back(at ? shape[*at] : Json());
    }
    return likeArray(argument(call, 0), std::move(made));
}

/// concatenate() and stack() of a list of arrays; vstack() and hstack() are the former along their axis.
PythonValue joined(const PythonApiCall& call) {
    const std::string name = call.name();
    if (manyIn(argument(call, 0)) != nullptr) {
        const auto* list = argument(call, 0).as<PythonList>();
        Json stacked = shapeOf(argument(call, 0));
        if (name == "stack" && stacked.is_array() && call.arguments.find("axis", 1) == nullptr)
            return arrayOfShape(std::move(stacked));
        PythonData made = *samplesOfArguments(call.arguments).as<PythonData>();
        if (const auto length = lengthOf(*list); length && name == "stack")
            made.count = *length;
        return made;
    }
    const PythonValues parts = argument(call, 0).items();
    const PythonValue* given = call.arguments.find("axis", 1);
    if (given != nullptr && given->isNone() && name == "concatenate")
        return likeArray(parts.empty() ? PythonValue() : parts.front(), Json::array({nullptr}));
    std::int64_t axis = given != nullptr && given->isWhole() ? given->constant().get<std::int64_t>() : 0;
    axis = name == "hstack" ? 1 : axis;
    Json shape = parts.empty() ? Json() : shapeOf(parts.front());
    if (!shape.is_array()) {
        PythonData made = *samplesOfArguments(call.arguments).as<PythonData>();
        if (name == "stack" && axis == 0 && !parts.empty())
            made.count = static_cast<std::int64_t>(parts.size());
        return made;
    }
    const auto size = static_cast<std::int64_t>(shape.size());
    if (name == "stack") {
        axis = std::clamp<std::int64_t>(axis < 0 ? axis + size + 1 : axis, 0, size);
        shape.insert(shape.begin() + axis, parts.size());
        return likeArray(parts.front(), std::move(shape));
    }
    axis = axis < 0 ? axis + size : std::min(axis, size - 1);
    if (axis < 0)
        return likeArray(parts.front(), nullptr);
    std::int64_t sum = 0;
    for (const PythonValue& part : parts) {
        const Json own = shapeOf(part);
        const auto at = static_cast<std::size_t>(axis);
        const bool isKnown = own.is_array() && at < own.size() && own[at].is_number_integer();
        sum = isKnown && sum >= 0 ? sum + own[at].get<std::int64_t>() : -1;
    }
    shape[static_cast<std::size_t>(axis)] = sum < 0 ? Json() : Json(sum);
    return likeArray(parts.front(), std::move(shape));
}

PythonValue reduced(const PythonApiCall& call) {
    const PythonValue* keeps = call.arguments.keyword("keepdims");
    return likeArray(argument(call, 0),
                     reducedShape(shapeOf(argument(call, 0)), call.arguments.find("axis", 1),
                                  keeps != nullptr && keeps->constant() == true));
}

/// to_categorical(y, 10) and tf.one_hot(y, 10).
PythonValue oneHot(const PythonApiCall& call) {
    Json shape = shapeOf(argument(call, 0));
    const PythonValue* classes = call.arguments.find(call.name() == "one_hot" ? "depth" : "num_classes", 1);
    if (!shape.is_array())
        return likeArray(argument(call, 0), nullptr);
    if (shape.size() > 1 && shape.back() == 1 && call.name() != "one_hot")
        shape.erase(shape.size() - 1);
    shape.push_back(classes == nullptr ? Json() : classes->constant());
    return likeArray(argument(call, 0), std::move(shape));
}

PythonValue padded(const PythonApiCall& call) {
    const Json shape = shapeOf(argument(call, 0));
    const PythonValue* length = call.arguments.find("maxlen", 1);
    return likeArray(argument(call, 0), Json::array({shape.is_array() && !shape.empty() ? shape[0] : Json(),
                                                     length == nullptr ? Json() : length->constant()}));
}

/// A text of numbers stays what it is; more is an array.
PythonValue constant(const PythonApiCall& call) {
    const PythonValue& value = argument(call, 0);
    const PythonValue* shape = call.arguments.given("shape", 2);
    if (shape != nullptr && call.path.starts_with("tf.") && call.name() == "constant")
        return likeArray(value, writtenShape(*shape));
    if (value.is<PythonConstant>())
        return value;
    if (!value.is<PythonList>() && !value.is<PythonData>())
        return samplesOfArguments(call.arguments);
    if (value.is<PythonData>())
        return same(call);
    return arrayOfList(value);
}

/// Where images are cut or resized to.
PythonValue resized(const PythonApiCall& call) {
    Json shape = shapeOf(argument(call, 0));
    const PythonValue* size = call.arguments.find("size", 1);
    const Json extents = size == nullptr ? Json() : writtenShape(*size);
    if (!shape.is_array() || shape.size() < 3 || !extents.is_array())
        return likeArray(argument(call, 0), nullptr);
    if (call.name() == "random_crop" && extents.size() == shape.size())
        return likeArray(argument(call, 0), extents);
    if (extents.size() != 2)
        return likeArray(argument(call, 0), nullptr);
    shape[shape.size() - 3] = extents[0];
    shape[shape.size() - 2] = extents[1];
    return likeArray(argument(call, 0), std::move(shape));
}

/// Images that are cut or framed to extents which are arguments of their own, from `heightAt` on.
PythonValue framed(const PythonApiCall& call, const char* height, const char* width, std::size_t heightAt) {
    Json shape = shapeOf(argument(call, 0));
    const PythonValue* rows = call.arguments.find(height, heightAt);
    const PythonValue* columns = call.arguments.find(width, heightAt + 1);
    if (!shape.is_array() || shape.size() < 3 || rows == nullptr || columns == nullptr)
        return likeArray(argument(call, 0), nullptr);
    shape[shape.size() - 3] = rows->isWhole() ? rows->constant() : Json();
    shape[shape.size() - 2] = columns->isWhole() ? columns->constant() : Json();
    return likeArray(argument(call, 0), std::move(shape));
}

PythonValue framedToTarget(const PythonApiCall& call) {
    constexpr std::size_t behindOffsets = 3;
    return framed(call, "target_height", "target_width",
                  call.name().ends_with("bounding_box") ? behindOffsets : 1);
}

/// tf.image.central_crop(image, fraction). Source: its offsets, (n - n * fraction) / 2 without the rest.
PythonValue croppedToCentre(const PythonApiCall& call) {
    Json shape = shapeOf(argument(call, 0));
    const PythonValue* fraction = call.arguments.find("central_fraction", 1);
    if (!shape.is_array() || shape.size() < 3 || fraction == nullptr || !fraction->isNumber())
        return likeArray(argument(call, 0), nullptr);
    const double share = fraction->constant().get<double>();
    for (const std::size_t fromLast : {3U, 2U})
        if (Json& extent = shape[shape.size() - fromLast]; extent.is_number_integer()) {
            const auto whole = extent.get<std::int64_t>();
            const auto offset = static_cast<std::int64_t>((whole - whole * share) / 2);
            extent = whole - 2 * offset;
        }
    return likeArray(argument(call, 0), std::move(shape));
}

/// tf.ensure_shape(x, shape): extents that a function of the program leaves open.
PythonValue ensured(const PythonApiCall& call) {
    const PythonValue* shape = call.arguments.find("shape", 1);
    return likeArray(argument(call, 0), shape == nullptr ? Json() : writtenShape(*shape));
}

/// sklearn's train_test_split(): each array in two parts.
PythonValue splitSamples(const PythonApiCall& call) {
    PythonValues parts;
    constexpr double usual = 0.25;
    const PythonValue* size = call.arguments.keyword("test_size");
    const double share = size != nullptr && size->isNumber() ? size->constant().get<double>() : usual;
    for (const PythonValue& array : call.arguments.list) {
        Json shape = shapeOf(array);
        const bool isKnown = shape.is_array() && !shape.empty() && shape[0].is_number_integer();
        const double whole = isKnown ? shape[0].get<double>() : 0;
        const double test = share < 1 ? std::ceil(whole * share) : share;
        for (const double count : {whole - test, test}) {
            if (isKnown)
                shape[0] = static_cast<std::int64_t>(count);
            parts.push_back(likeArray(array, shape));
        }
    }
    return pythonList(std::move(parts), true);
}

struct ArrayFunction {
    std::string_view name;
    PythonValue (*meaning)(const PythonApiCall&);
};
// An array of the language: Clang deduces none of more than 256 elements.
constexpr ArrayFunction arrayFunctions[]{
    ArrayFunction{"zeros", shapeFirst},
    ArrayFunction{"ones", shapeFirst},
    ArrayFunction{"empty", shapeFirst},
    ArrayFunction{"full", shapeFirst},
    ArrayFunction{"fill", shapeFirst},
    ArrayFunction{"truncated_normal", shapeFirst},
    ArrayFunction{"random_uniform", shapeFirst},
    ArrayFunction{"random_normal", shapeFirst},
    ArrayFunction{"stateless_uniform", shapeFirst},
    ArrayFunction{"stateless_normal", shapeFirst},
    ArrayFunction{"rand", extentsAsArguments},
    ArrayFunction{"randn", extentsAsArguments},
    ArrayFunction{"random", sizeFirst},
    ArrayFunction{"random_sample", sizeFirst},
    ArrayFunction{"standard_normal", sizeFirst},
    ArrayFunction{"standard_cauchy", sizeFirst},
    ArrayFunction{"standard_exponential", sizeFirst},
    ArrayFunction{"uniform", drawn},
    ArrayFunction{"normal", drawn},
    ArrayFunction{"randint", drawn},
    ArrayFunction{"integers", drawn},
    ArrayFunction{"random_integers", drawn},
    ArrayFunction{"binomial", drawn},
    ArrayFunction{"negative_binomial", drawn},
    ArrayFunction{"beta", drawn},
    ArrayFunction{"gamma", drawn},
    ArrayFunction{"laplace", drawn},
    ArrayFunction{"gumbel", drawn},
    ArrayFunction{"logistic", drawn},
    ArrayFunction{"lognormal", drawn},
    ArrayFunction{"vonmises", drawn},
    ArrayFunction{"wald", drawn},
    ArrayFunction{"multivariate_normal", drawnVectors},
    ArrayFunction{"dirichlet", drawnVectors},
    ArrayFunction{"choice", sizeSecond},
    ArrayFunction{"poisson", sizeSecond},
    ArrayFunction{"exponential", sizeSecond},
    ArrayFunction{"geometric", sizeSecond},
    ArrayFunction{"zipf", sizeSecond},
    ArrayFunction{"pareto", sizeSecond},
    ArrayFunction{"rayleigh", sizeSecond},
    ArrayFunction{"weibull", sizeSecond},
    ArrayFunction{"chisquare", sizeSecond},
    ArrayFunction{"standard_t", sizeSecond},
    ArrayFunction{"standard_gamma", sizeSecond},
    ArrayFunction{"arange", arrayRange},
    ArrayFunction{"permutation", permuted},
    ArrayFunction{"linspace", evenly},
    ArrayFunction{"logspace", evenly},
    ArrayFunction{"geomspace", evenly},
    ArrayFunction{"reshape", reshape},
    ArrayFunction{"expand_dims", expand},
    ArrayFunction{"squeeze", squeeze},
    ArrayFunction{"transpose", transpose},
    ArrayFunction{"concatenate", joined},
    ArrayFunction{"concat", joined},
    ArrayFunction{"stack", joined},
    ArrayFunction{"hstack", joined},
    ArrayFunction{"mean", reduced},
    ArrayFunction{"sum", reduced},
    ArrayFunction{"std", reduced},
    ArrayFunction{"var", reduced},
    ArrayFunction{"min", reduced},
    ArrayFunction{"max", reduced},
    ArrayFunction{"amin", reduced},
    ArrayFunction{"amax", reduced},
    ArrayFunction{"argmax", reduced},
    ArrayFunction{"argmin", reduced},
    ArrayFunction{"prod", reduced},
    ArrayFunction{"product", reduced},
    ArrayFunction{"median", reduced},
    ArrayFunction{"ptp", reduced},
    ArrayFunction{"any", reduced},
    ArrayFunction{"all", reduced},
    ArrayFunction{"count_nonzero", reduced},
    ArrayFunction{"average", reduced},
    ArrayFunction{"nanmean", reduced},
    ArrayFunction{"nansum", reduced},
    ArrayFunction{"nanstd", reduced},
    ArrayFunction{"nanvar", reduced},
    ArrayFunction{"nanmin", reduced},
    ArrayFunction{"nanmax", reduced},
    ArrayFunction{"nanmedian", reduced},
    ArrayFunction{"nanprod", reduced},
    ArrayFunction{"reduce_mean", reduced},
    ArrayFunction{"reduce_sum", reduced},
    ArrayFunction{"reduce_max", reduced},
    ArrayFunction{"reduce_min", reduced},
    ArrayFunction{"reduce_prod", reduced},
    ArrayFunction{"reduce_any", reduced},
    ArrayFunction{"reduce_all", reduced},
    ArrayFunction{"reduce_std", reduced},
    ArrayFunction{"reduce_variance", reduced},
    ArrayFunction{"reduce_logsumexp", reduced},
    ArrayFunction{"to_categorical", oneHot},
    ArrayFunction{"one_hot", oneHot},
    ArrayFunction{"pad_sequences", padded},
    ArrayFunction{"array", constant},
    ArrayFunction{"asarray", constant},
    ArrayFunction{"ascontiguousarray", constant},
    ArrayFunction{"constant", constant},
    ArrayFunction{"convert_to_tensor", constant},
    ArrayFunction{"cast", constant},
    ArrayFunction{"float16", constant},
    ArrayFunction{"float32", constant},
    ArrayFunction{"float64", constant},
    ArrayFunction{"int32", constant},
    ArrayFunction{"int64", constant},
    ArrayFunction{"int8", constant},
    ArrayFunction{"int16", constant},
    ArrayFunction{"uint8", constant},
    ArrayFunction{"bool_", constant},
    ArrayFunction{"identity", same},
    ArrayFunction{"zeros_like", same},
    ArrayFunction{"ones_like", same},
    ArrayFunction{"full_like", same},
    ArrayFunction{"empty_like", same},
    ArrayFunction{"clip", same},
    ArrayFunction{"clip_by_value", same},
    ArrayFunction{"abs", same},
    ArrayFunction{"absolute", same},
    ArrayFunction{"exp", same},
    ArrayFunction{"log", same},
    ArrayFunction{"sqrt", same},
    ArrayFunction{"square", same},
    ArrayFunction{"sin", same},
    ArrayFunction{"cos", same},
    ArrayFunction{"tan", same},
    ArrayFunction{"tanh", same},
    ArrayFunction{"sinh", same},
    ArrayFunction{"cosh", same},
    ArrayFunction{"arcsin", same},
    ArrayFunction{"arccos", same},
    ArrayFunction{"arctan", same},
    ArrayFunction{"arcsinh", same},
    ArrayFunction{"arccosh", same},
    ArrayFunction{"arctanh", same},
    ArrayFunction{"asin", same},
    ArrayFunction{"acos", same},
    ArrayFunction{"atan", same},
    ArrayFunction{"asinh", same},
    ArrayFunction{"acosh", same},
    ArrayFunction{"atanh", same},
    ArrayFunction{"floor", same},
    ArrayFunction{"ceil", same},
    ArrayFunction{"round", same},
    ArrayFunction{"around", same},
    ArrayFunction{"rint", same},
    ArrayFunction{"fix", same},
    ArrayFunction{"sign", same},
    ArrayFunction{"negative", same},
    ArrayFunction{"positive", same},
    ArrayFunction{"reciprocal", same},
    ArrayFunction{"cbrt", same},
    ArrayFunction{"exp2", same},
    ArrayFunction{"expm1", same},
    ArrayFunction{"log1p", same},
    ArrayFunction{"log2", same},
    ArrayFunction{"log10", same},
    ArrayFunction{"deg2rad", same},
    ArrayFunction{"rad2deg", same},
    ArrayFunction{"radians", same},
    ArrayFunction{"degrees", same},
    ArrayFunction{"fabs", same},
    ArrayFunction{"trunc", same},
    ArrayFunction{"nan_to_num", same},
    ArrayFunction{"sinc", same},
    ArrayFunction{"i0", same},
    ArrayFunction{"conj", same},
    ArrayFunction{"conjugate", same},
    ArrayFunction{"real", same},
    ArrayFunction{"imag", same},
    ArrayFunction{"angle", same},
    ArrayFunction{"unwrap", same},
    ArrayFunction{"erf", same},
    ArrayFunction{"lgamma", same},
    ArrayFunction{"digamma", same},
    ArrayFunction{"rsqrt", same},
    ArrayFunction{"sigmoid", same},
    ArrayFunction{"relu", same},
    ArrayFunction{"relu6", same},
    ArrayFunction{"elu", same},
    ArrayFunction{"selu", same},
    ArrayFunction{"gelu", same},
    ArrayFunction{"softplus", same},
    ArrayFunction{"softsign", same},
    ArrayFunction{"softmax", same},
    ArrayFunction{"log_softmax", same},
    ArrayFunction{"l2_normalize", same},
    ArrayFunction{"log_sigmoid", same},
    ArrayFunction{"stop_gradient", same},
    ArrayFunction{"asanyarray", same},
    ArrayFunction{"asfarray", same},
    ArrayFunction{"asfortranarray", same},
    ArrayFunction{"copy", same},
    ArrayFunction{"flip", same},
    ArrayFunction{"fliplr", same},
    ArrayFunction{"flipud", same},
    ArrayFunction{"roll", same},
    ArrayFunction{"reverse", same},
    ArrayFunction{"invert", same},
    ArrayFunction{"bitwise_not", same},
    ArrayFunction{"random_flip_left_right", same},
    ArrayFunction{"random_flip_up_down", same},
    ArrayFunction{"flip_left_right", same},
    ArrayFunction{"flip_up_down", same},
    ArrayFunction{"random_brightness", same},
    ArrayFunction{"random_contrast", same},
    ArrayFunction{"random_saturation", same},
    ArrayFunction{"random_hue", same},
    ArrayFunction{"adjust_brightness", same},
    ArrayFunction{"adjust_contrast", same},
    ArrayFunction{"adjust_saturation", same},
    ArrayFunction{"adjust_hue", same},
    ArrayFunction{"adjust_gamma", same},
    ArrayFunction{"convert_image_dtype", same},
    ArrayFunction{"per_image_standardization", same},
    ArrayFunction{"rgb_to_hsv", same},
    ArrayFunction{"hsv_to_rgb", same},
    ArrayFunction{"normalize", withNorm},
    ArrayFunction{"isnan", truths},
    ArrayFunction{"isinf", truths},
    ArrayFunction{"isfinite", truths},
    ArrayFunction{"is_nan", truths},
    ArrayFunction{"is_inf", truths},
    ArrayFunction{"is_finite", truths},
    ArrayFunction{"signbit", truths},
    ArrayFunction{"logical_not", truths},
    ArrayFunction{"logical_and", truths},
    ArrayFunction{"logical_or", truths},
    ArrayFunction{"logical_xor", truths},
    ArrayFunction{"greater", truths},
    ArrayFunction{"greater_equal", truths},
    ArrayFunction{"less", truths},
    ArrayFunction{"less_equal", truths},
    ArrayFunction{"equal", truths},
    ArrayFunction{"not_equal", truths},
    ArrayFunction{"isclose", truths},
    ArrayFunction{"isin", truthsOfFirst},
    ArrayFunction{"in1d", truthsOfFirst},
    ArrayFunction{"power", elementwise},
    ArrayFunction{"pow", elementwise},
    ArrayFunction{"float_power", elementwise},
    ArrayFunction{"maximum", elementwise},
    ArrayFunction{"minimum", elementwise},
    ArrayFunction{"fmax", elementwise},
    ArrayFunction{"fmin", elementwise},
    ArrayFunction{"mod", elementwise},
    ArrayFunction{"remainder", elementwise},
    ArrayFunction{"fmod", elementwise},
    ArrayFunction{"floormod", elementwise},
    ArrayFunction{"add", elementwise},
    ArrayFunction{"subtract", elementwise},
    ArrayFunction{"multiply", elementwise},
    ArrayFunction{"divide", elementwise},
    ArrayFunction{"true_divide", elementwise},
    ArrayFunction{"truediv", elementwise},
    ArrayFunction{"floor_divide", elementwise},
    ArrayFunction{"floordiv", elementwise},
    ArrayFunction{"hypot", elementwise},
    ArrayFunction{"arctan2", elementwise},
    ArrayFunction{"atan2", elementwise},
    ArrayFunction{"copysign", elementwise},
    ArrayFunction{"logaddexp", elementwise},
    ArrayFunction{"heaviside", elementwise},
    ArrayFunction{"squared_difference", elementwise},
    ArrayFunction{"bitwise_and", elementwise},
    ArrayFunction{"bitwise_or", elementwise},
    ArrayFunction{"bitwise_xor", elementwise},
    ArrayFunction{"left_shift", elementwise},
    ArrayFunction{"right_shift", elementwise},
    ArrayFunction{"gcd", elementwise},
    ArrayFunction{"lcm", elementwise},
    ArrayFunction{"resize", resized},
    ArrayFunction{"random_crop", resized},
    ArrayFunction{"resize_with_crop_or_pad", framedToTarget},
    ArrayFunction{"resize_image_with_crop_or_pad", framedToTarget},
    ArrayFunction{"resize_with_pad", framedToTarget},
    ArrayFunction{"resize_image_with_pad", framedToTarget},
    ArrayFunction{"crop_to_bounding_box", framedToTarget},
    ArrayFunction{"pad_to_bounding_box", framedToTarget},
    ArrayFunction{"central_crop", croppedToCentre},
    ArrayFunction{"ensure_shape", ensured},
    ArrayFunction{"train_test_split", splitSamples},
};

/// What writes into its first argument: of its numbers nothing is known any more.
PythonValue changeInPlace(const PythonApiCall& call) {
    if (auto shuffled = sharedDraw(call))
        return *shuffled;
    if (const auto* data = argument(call, 0).as<PythonData>(); data != nullptr && data->array != nullptr)
        data->array->isOpen = true;
    return {};
}

PythonValue anyArray(const PythonApiCall& call) {
    return callArrayFunction(call, call.name()).value_or(samplesOfArguments(call.arguments));
}

/// What the numbers of an array are to be, as a call says it: "int32"; empty: it does not.
std::string askedType(const PythonApiCall& call, const std::string& name) {
    constexpr std::array<std::string_view, 7> second{"cast",     "array", "asarray", "convert_to_tensor",
                                                     "constant", "zeros", "ones"};
    const bool isSecond = std::ranges::find(second, name) != second.end();
    std::string type =
        typeNamed(isSecond ? call.arguments.find("dtype", 1) : call.arguments.keyword("dtype"));
    if (!type.empty())
        return type;
    const bool isType = name.starts_with("int") || name.starts_with("uint") || name.starts_with("bool") ||
                        name.starts_with("float");
    return isType ? name : "";
}

/// Functions whose numbers are whole whatever they are given.
bool answersWhole(const PythonApiCall& call, const std::string& name) {
    constexpr std::array<std::string_view, 12> whole{
        "permutation", "randint",      "integers", "random_integers", "argsort",       "argmax",
        "argmin",      "argpartition", "digitize", "searchsorted",    "count_nonzero", "argwhere"};
    const PythonValue& first = argument(call, 0);
    if ((name == "permutation" || name == "choice") && first.is<PythonData>())
        return first.as<PythonData>()->areWhole;
    if (name == "choice" && first.is<PythonList>()) {
        const auto array = samplesArrayOf(first);
        return array != nullptr && array->kind == PythonArray::Kind::Whole;
    }
    const auto isFraction = [](const PythonValue& value) { return value.isNumber() && !value.isWhole(); };
    if (name == "choice" || name == "arange" || name == "range")
        return std::ranges::none_of(call.arguments.list, isFraction);
    return std::ranges::find(whole, name) != whole.end();
}

PythonValue ofItsType(const PythonApiCall& call, const std::string& name, PythonValue made) {
    auto* data = std::get_if<PythonData>(&made.content);
    if (data == nullptr)
        return made;
    const std::string type = askedType(call, name);
    if (!type.empty())
        data->byteType = type == "uint8" || type == "int8" ? type : "";
    if (data->array != nullptr && !data->array->isOpen && !type.empty()) {
        auto array = std::make_shared<PythonArray>(arrayOfType(*data->array, type));
        data->areWhole = array->kind == PythonArray::Kind::Whole;
        data->areHalves = array->areHalves;
        data->array = std::move(array);
    } else if (data->array == nullptr) {
        data->areWhole =
            type.empty() ? data->areWhole || answersWhole(call, name) : type.find("int") != std::string::npos;
        data->areHalves = type.empty() ? data->areHalves : isHalfType(type);
    }
    return made;
}

std::optional<PythonValue> arrayMadeBy(const PythonApiCall& call, const std::string& name) {
    if (auto numbers = sharedDraw(call))
        return numbers;
    if (auto constants = constantFunction(call))
        return constants;
    if (auto made = partsOfArray(call, name))
        return made;
    if (auto made = rearrangedArray(call, name))
        return made;
    if (auto made = productOfSamples(call, name))
        return made;
    if (name == "power" && !call.path.starts_with("tf.") && call.path != "np.power") // of chance
        return sizeSecond(call);
    const auto row = std::ranges::find(arrayFunctions, name, &ArrayFunction::name);
    return row == std::ranges::end(arrayFunctions) ? std::nullopt : std::optional(row->meaning(call));
}

} // namespace

bool drawsArray(std::string_view name) {
    constexpr std::array draws{&drawn, &sizeFirst, &sizeSecond, &extentsAsArguments, &drawnVectors};
    const auto row = std::ranges::find(arrayFunctions, name, &ArrayFunction::name);
    return name == "permutation" || name == "power" ||
           (row != std::ranges::end(arrayFunctions) && std::ranges::find(draws, row->meaning) != draws.end());
}

std::optional<PythonValue> callArrayFunction(const PythonApiCall& call, const std::string& name) {
    auto made = arrayMadeBy(call, name);
    constexpr std::array<std::string_view, 12> same{
        "cast",    "astype",      "asarray", "array", "convert_to_tensor", "reshape", "squeeze",
        "float32", "expand_dims", "float16", "int32", "constant"};
    if (auto* data = made ? std::get_if<PythonData>(&made->content) : nullptr;
        data != nullptr && std::ranges::find(same, name) == same.end())
        data->divisor.reset();
    return made ? std::optional(ofItsType(call, name, std::move(*made))) : std::nullopt;
}

std::vector<PythonApiName> arrayNames(const std::string& prefix) {
    std::vector<PythonApiName> names;
    for (const char* changes : {"fill_diagonal", "copyto", "put", "place", "putmask", "random.shuffle"})
        names.push_back(readName(prefix + changes, changeInPlace));
    names.push_back(readName(prefix + "**", anyArray));
    return names;
}

PythonValue loadedDataset(const std::string& dataset) {
    struct Known {
        std::string_view name;
        std::int64_t train;
        std::int64_t test;
        std::string_view sample; ///< extents of one, as JSON
        std::string_view label;
    };
    constexpr std::array<Known, 7> known{{{"mnist", 60000, 10000, "[28,28]", "[]"},
                                          {"fashion_mnist", 60000, 10000, "[28,28]", "[]"},
                                          {"cifar10", 50000, 10000, "[32,32,3]", "[1]"},
                                          {"cifar100", 50000, 10000, "[32,32,3]", "[1]"},
                                          {"boston_housing", 404, 102, "[13]", "[]"},
                                          {"imdb", 25000, 25000, "[]", "[]"},
                                          {"reuters", 8982, 2246, "[]", "[]"}}};
    const auto row = std::ranges::find(known, dataset, &Known::name);
    PythonData open;
    open.dataset = dataset;
    if (row == known.end())
        return open;
    const auto array = [&](std::int64_t count, std::string_view extents) {
        PythonData made = open;
        made.areWhole = true;
        made.divisor = 1;
        made.shape = Json::array({count});
        const Json more = Json::parse(extents);
        made.shape.insert(made.shape.end(), more.begin(), more.end());
        return PythonValue(made);
    };
    return pythonList({pythonList({array(row->train, row->sample), array(row->train, row->label)}, true),
                       pythonList({array(row->test, row->sample), array(row->test, row->label)}, true)},
                      true);
}

} // namespace core
