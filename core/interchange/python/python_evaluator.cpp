// Statements and expressions; what calls mean stands in python_calls.cpp and python_models.cpp.
#include "core/interchange/python/python_evaluator.h"

#include "core/interchange/python/python_lexer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

using Kind = PythonExpression::Kind;
using Value = PythonValue;

/// The library's own name of what a program imports under different ones.
std::string canonical(std::string path) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> prefixes{{
        {"tensorflow.python.ipu", "ipu"},
        {"tensorflow.python.keras", "keras"},
        {"tensorflow.keras", "keras"},
        {"tensorflow", "tf"},
        {"tf.python.ipu", "ipu"},
        {"tf.keras", "keras"},
        {"numpy", "np"},
        {"tf.compat.v1.keras", "keras"},
        {"tf.compat.v1", "tf"},
        {"tf.python.ops.nn", "tf.nn"},
        {"tf.python.ops.math_ops", "tf"},
        {"tf.python.ops.array_ops", "tf"},
    }};
    for (const auto& [from, to] : prefixes) {
        if (path == from || (path.starts_with(from) && path[from.size()] == '.'))
            path = std::string(to) + path.substr(from.size());
    }
    return path;
}

} // namespace

PythonEvaluator::PythonEvaluator(std::string_view file)
    : m_file(file) {
    // Snippets leave the usual imports out.
    for (const char* name : {"tf", "ipu", "keras", "np", "tensorflow"})
        m_globals[name] = Value::of(Value::Kind::Symbol, canonical(name));
    for (const char* path : {"tensorflow.python.ipu.pipelining_ops", "tensorflow.python.ipu.ipu_infeed_queue",
                             "tensorflow.python.ipu.ipu_outfeed_queue", "tensorflow.python.ipu.ipu_compiler",
                             "tensorflow.python.ipu.scopes.ipu_scope", "tensorflow.python.framework.ops",
                             "tensorflow.python.ops.array_ops", "tensorflow.python.ops.math_ops",
                             "tensorflow.python.ops.nn", "tensorflow.python.ops.variable_scope",
                             "tensorflow.python.training.gradient_descent.GradientDescentOptimizer",
                             "tensorflow.python.ipu.horovod.ipu_horovod_strategy.IPUHorovodStrategy",
                             "tensorflow.python.ipu.ipu_multi_worker_strategy.IPUMultiWorkerStrategy"}) {
        const std::string text(path);
        m_globals[text.substr(text.rfind('.') + 1)] = Value::of(Value::Kind::Symbol, canonical(text));
    }
    m_globals["__name__"] = Value::plain("__main__");
    m_globals["__file__"] = Value::of(Value::Kind::Data);
}

void PythonEvaluator::refuse(PythonPlace place, std::string code, std::string message,
                             std::vector<std::string> hints) {
    if (!m_error)
        m_error = pythonError(m_file, place, std::move(code), std::move(message), std::move(hints));
    throw Failed{};
}

void PythonEvaluator::warn(PythonPlace place, std::string code, std::string message,
                           std::vector<std::string> hints) {
    if (!m_warned.insert(message).second)
        return;
    Diagnostic diagnostic = pythonError(m_file, place, std::move(code), std::move(message), std::move(hints));
    diagnostic.severity = Severity::Warning;
    m_facts.warnings.push_back(std::move(diagnostic));
}

Result<PythonFacts> PythonEvaluator::run(const PythonBlock& program) {
    try { // stays inside this class: a refusal deep in an expression ends the program
        static_cast<void>(block(program));
        settleFedNumbers();
    } catch (const Failed&) {
        return failure(*m_error);
    }
    return std::move(m_facts);
}

// ---- statements -----------------------------------------------------------------------------------------

std::optional<Value> PythonEvaluator::block(const PythonBlock& statements) {
    for (const PythonStatement& entry : statements) {
        if (auto result = statement(entry))
            return result;
    }
    return std::nullopt;
}

std::optional<Value> PythonEvaluator::statement(const PythonStatement& entry) {
    using Statement = PythonStatement::Kind;
    constexpr std::int64_t mostSteps = 2000000;
    if (++m_steps > mostSteps)
        refuse(entry.place, "python/endless", "the program does not come to an end");
    switch (entry.kind) {
    case Statement::Import:
        import(entry);
        break;
    case Statement::Assignment: {
        const Value value = evaluate(entry.values.at(0));
        for (const PythonExpression& target : entry.targets)
            assign(target, value);
        break;
    }
    case Statement::Augmented: {
        PythonExpression sum;
        sum.kind = Kind::Binary;
        sum.place = entry.place;
        sum.text = entry.text;
        sum.children = {entry.targets.at(0), entry.values.at(0)};
        assign(entry.targets[0], evaluate(sum));
        break;
    }
    case Statement::Expression:
        static_cast<void>(evaluate(entry.values.at(0)));
        break;
    case Statement::With:
        return scope(entry);
    case Statement::If:
        return block(isTrue(entry.values.at(0)) ? entry.body : entry.orElse);
    case Statement::For:
        return repeat(entry);
    case Statement::While:
        refuse(entry.place, "python/unsupported", "a while loop is not followed",
               {"write the layers one after the other, or with a for loop over a list"});
    case Statement::Function: {
        Value function = Value::of(Value::Kind::Function, entry.text);
        function.function = &entry;
        (m_locals.empty() ? m_globals : m_locals.back())[entry.text] = std::move(function);
        break;
    }
    case Statement::Class:
        define(entry);
        break;
    case Statement::Return:
        return entry.values.empty() ? Value::plain(nullptr) : evaluate(entry.values[0]);
    case Statement::Assert:
    case Statement::Pass:
        break;
    }
    return std::nullopt;
}

/// The full name that a base class has; empty where it is not known.
std::string PythonEvaluator::pathOf(const PythonExpression& expression) const {
    if (expression.kind == Kind::Attribute) {
        const std::string module = pathOf(expression.children.at(0));
        return module.empty() ? module : canonical(module + "." + expression.text);
    }
    if (expression.kind != Kind::Name)
        return {};
    for (const Names* names : {m_locals.empty() ? nullptr : &m_locals.back(), &m_globals})
        if (names != nullptr)
            if (const auto found = names->find(expression.text); found != names->end())
                return found->second.kind == Value::Kind::Symbol ? found->second.text : std::string();
    return {};
}

/// A class is known by what it is derived from and what it overrides; its functions are not followed.
void PythonEvaluator::define(const PythonStatement& entry) {
    Class made;
    if (!entry.values.empty())
        made.base = pathOf(entry.values.front());
    constexpr std::string_view own = "class ";
    if (made.base.starts_with(own))
        made = m_classes[made.base.substr(own.size())];
    for (const PythonStatement& member : entry.body)
        if (member.kind == PythonStatement::Kind::Function)
            made.functions[member.text] = member.place;
    m_classes[entry.text] = std::move(made);
    (m_locals.empty() ? m_globals : m_locals.back())[entry.text] =
        Value::of(Value::Kind::Symbol, std::string(own) + entry.text);
}

void PythonEvaluator::import(const PythonStatement& entry) {
    for (const auto& [name, path] : entry.imports) {
        if (name == "*") {
            for (const char* known : {"Sequential", "Model", "Input"})
                m_globals[known] = Value::of(Value::Kind::Symbol, canonical(path) + "." + known);
            m_globals["*" + canonical(path)] = Value::of(Value::Kind::Symbol, canonical(path));
            continue;
        }
        (m_locals.empty() ? m_globals : m_locals.back())[name] =
            Value::of(Value::Kind::Symbol, canonical(path));
    }
}

std::optional<Value> PythonEvaluator::scope(const PythonStatement& entry) {
    const std::optional<std::int64_t> before = m_stage;
    const std::optional<std::int64_t> shardBefore = m_shard;
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        const Value context = evaluate(entry.values[i]);
        const bool isKnown = context.kind == Value::Kind::Scope || context.kind == Value::Kind::Stage ||
                             context.kind == Value::Kind::Shard || context.kind == Value::Kind::Data;
        if (!isKnown)
            refuse(entry.values[i].place, "python/unsupported", "this scope is not known",
                   {"IPUStrategy().scope(), ipu.keras.PipelineStage(k) and ipu.scopes.ipu_shard(k) are"});
        if (context.kind == Value::Kind::Stage)
            m_stage = context.index;
        if (context.kind == Value::Kind::Shard)
            m_shard = context.index;
        if (i < entry.targets.size() && entry.targets[i].kind == Kind::Name)
            assign(entry.targets[i], context);
    }
    auto result = block(entry.body);
    m_stage = before;
    m_shard = shardBefore;
    return result;
}

std::optional<Value> PythonEvaluator::repeat(const PythonStatement& entry) {
    const Value over = evaluate(entry.values.at(0));
    if (over.kind == Value::Kind::Data)
        refuse(entry.place, "python/unsupported", "a loop over data is not followed",
               {"train with model.fit()"});
    if (over.kind != Value::Kind::List)
        refuse(entry.place, "python/unsupported", "this loop is not followed",
               {"loop over a list or range()"});
    for (const Value& item : over.items) {
        assign(entry.targets.at(0), item);
        if (auto result = block(entry.body))
            return result;
    }
    return std::nullopt;
}

void PythonEvaluator::assign(const PythonExpression& target, Value value) {
    if (target.kind == Kind::Name) {
        (m_locals.empty() ? m_globals : m_locals.back())[target.text] = std::move(value);
        return;
    }
    if (target.kind == Kind::Tuple || target.kind == Kind::List) {
        if (value.kind == Value::Kind::Tensor) { // a layer with several outputs
            for (std::size_t i = 0; i < target.children.size(); ++i) {
                value.output = static_cast<std::int64_t>(i);
                assign(target.children[i], value);
            }
            return;
        }
        if (value.kind != Value::Kind::Data &&
            (value.kind != Value::Kind::List || value.items.size() != target.children.size()))
            refuse(target.place, "python/unsupported",
                   fmt::format("this does not unpack into {} names", target.children.size()));
        for (std::size_t i = 0; i < target.children.size(); ++i)
            assign(target.children[i], value.kind == Value::Kind::Data ? value : value.items[i]);
        return;
    }
    if (target.kind == Kind::Attribute) {
        assignAttribute(target, value);
        return;
    }
    if (target.kind == Kind::Subscript) {
        const Value base = evaluate(target.children.at(0));
        if (base.kind == Value::Kind::Data || base.kind == Value::Kind::Symbol)
            return;
    }
    refuse(target.place, "python/unsupported", "an assignment to this is not followed");
}

void PythonEvaluator::assignAttribute(const PythonExpression& target, const Value& value) {
    const Value base = evaluate(target.children.at(0));
    if (base.kind == Value::Kind::Configuration) {
        PythonConfiguration& config = m_facts.configurations[static_cast<std::size_t>(base.index)];
        const std::string path = base.text.empty() ? target.text : base.text + "." + target.text;
        config.options[path] = json(value, target.place);
        config.places[path] = target.place;
    } else if (base.kind == Value::Kind::Layer) {
        m_facts.draft.layers[static_cast<std::size_t>(base.index)].config[target.text] =
            json(value, target.place);
    } else if (base.kind == Value::Kind::Model && target.text == "trainable") {
        m_facts.draft.models[static_cast<std::size_t>(base.index)].config["trainable"] =
            json(value, target.place);
    } else if (base.kind == Value::Kind::Assignment && target.text == "pipeline_stage") {
        m_facts.draft.models[static_cast<std::size_t>(base.index)]
            .stages[static_cast<std::size_t>(base.call)] = json(value, target.place);
    } else if (base.kind != Value::Kind::Data && base.kind != Value::Kind::Symbol) {
        refuse(target.place, "python/unsupported",
               fmt::format("setting \"{}\" here is not followed", target.text.substr(0, 60)));
    }
}

// ---- expressions ----------------------------------------------------------------------------------------

Value PythonEvaluator::evaluate(const PythonExpression& expression) {
    Value value;
    value.place = expression.place;
    switch (expression.kind) {
    case Kind::None:
    case Kind::Ellipsis:
        return value;
    case Kind::Boolean:
        value.json = expression.integer != 0;
        return value;
    case Kind::Integer:
        value.json = expression.integer;
        return value;
    case Kind::Real:
        value.json = expression.real;
        return value;
    case Kind::Text:
        value.json = expression.text;
        return value;
    case Kind::Name:
        return lookUp(expression);
    case Kind::Attribute:
        return attribute(expression);
    case Kind::Call:
        return call(expression);
    case Kind::Subscript:
        return subscript(expression);
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dictionary:
        value.kind = expression.kind == Kind::Dictionary ? Value::Kind::Dictionary : Value::Kind::List;
        for (const PythonExpression& child : expression.children) {
            if (child.kind == Kind::Starred)
                refuse(child.place, "python/unsupported", "an unpacked list is not read here");
            value.items.push_back(evaluate(child));
            if (value.items.back().kind == Value::Kind::Data && expression.kind != Kind::Dictionary)
                value.output = 1; // holds data
        }
        return value;
    case Kind::Unary:
        return unary(expression);
    case Kind::Binary:
        return binary(expression);
    case Kind::Conditional:
        return evaluate(expression.children[isTrue(expression.children.at(1)) ? 0 : 2]);
    case Kind::Lambda:
        return Value::of(Value::Kind::Lambda);
    case Kind::Slice:
    case Kind::Starred:
    case Kind::Comprehension:
        break;
    }
    refuse(expression.place, "python/unsupported", "this expression is not read",
           {"write the value as it is, or a list of values"});
}

Value PythonEvaluator::lookUp(const PythonExpression& name) {
    if (!m_locals.empty()) {
        if (const auto found = m_locals.back().find(name.text); found != m_locals.back().end())
            return found->second;
    }
    if (const auto found = m_globals.find(name.text); found != m_globals.end())
        return found->second;
    for (const char* builtin :
         {"print", "len",  "range", "zip", "enumerate", "int",        "float", "str",  "list",  "tuple",
          "dict",  "open", "min",   "max", "sum",       "isinstance", "abs",   "bool", "super", "round"}) {
        if (name.text == builtin)
            return Value::of(Value::Kind::Symbol, "builtin." + name.text);
    }
    for (const auto& [key, value] : m_globals) { // from … import *
        if (key.starts_with('*'))
            return Value::of(Value::Kind::Symbol, value.text + "." + name.text);
    }
    refuse(name.place, "python/name", fmt::format("\"{}\" is not defined", name.text.substr(0, 60)),
           {"define it before it is used"});
}

Value PythonEvaluator::attribute(const PythonExpression& expression) {
    const Value base = evaluate(expression.children.at(0));
    const std::string& name = expression.text;
    if (base.kind == Value::Kind::Symbol)
        return Value::of(Value::Kind::Symbol, canonical(base.text + "." + name));
    if (base.kind == Value::Kind::Configuration && name != "configure_ipu_system") {
        Value option = base;
        option.text = base.text.empty() ? name : base.text + "." + name;
        return option;
    }
    PythonDraft& draft = m_facts.draft;
    if (base.kind == Value::Kind::Assignment) {
        Value inner = base;
        if (name == "layer") {
            inner.output = 1;
            return inner;
        }
        if (name == "name")
            return Value::plain(base.text);
        if (name == "pipeline_stage")
            return Value::plain(draft.models[static_cast<std::size_t>(base.index)]
                                    .stages[static_cast<std::size_t>(base.call)]);
    }
    if (base.kind == Value::Kind::Layer && name == "name")
        return Value::plain(draft.layers[static_cast<std::size_t>(base.index)].name);
    if (base.kind == Value::Kind::Layer && name == "output") {
        Value tensor = Value::of(Value::Kind::Tensor);
        tensor.index = base.index;
        return tensor;
    }
    if (base.kind == Value::Kind::Model && (name.starts_with("input") || name.starts_with("output"))) {
        const PythonModel& model = draft.models[static_cast<std::size_t>(base.index)];
        Value list = Value::of(Value::Kind::List);
        for (const PythonTensor& tensor : name.starts_with("input") ? model.inputs : model.outputs) {
            Value entry = Value::of(Value::Kind::Tensor);
            entry.index = tensor.layer;
            entry.call = tensor.call;
            entry.output = tensor.output;
            list.items.push_back(std::move(entry));
        }
        const bool isOne = (name == "input" || name == "output") && list.items.size() == 1;
        return isOne ? list.items[0] : list;
    }
    if (base.kind == Value::Kind::Model && name == "name")
        return Value::plain(draft.models[static_cast<std::size_t>(base.index)].name);
    if (base.kind == Value::Kind::Tensor && (name == "shape" || name == "dtype"))
        return Value::of(Value::Kind::Data);
    Value method = Value::of(Value::Kind::Method, name);
    method.items.push_back(base);
    return method;
}

Value PythonEvaluator::subscript(const PythonExpression& expression) {
    const Value base = evaluate(expression.children.at(0));
    if (base.kind == Value::Kind::Data || base.kind == Value::Kind::Symbol)
        return Value::of(Value::Kind::Data);
    const PythonExpression& index = expression.children.at(1);
    if (base.kind == Value::Kind::Tensor)
        return sliceTensor(base, index);
    if (base.kind == Value::Kind::List && index.kind != Kind::Slice) {
        const Value at = evaluate(index);
        if (at.kind == Value::Kind::Plain && at.json.is_number_integer()) {
            const auto count = static_cast<std::int64_t>(base.items.size());
            std::int64_t place = at.json.get<std::int64_t>();
            place = place < 0 ? place + count : place;
            if (place >= 0 && place < count)
                return base.items[static_cast<std::size_t>(place)];
        }
    }
    if (base.kind == Value::Kind::List && index.kind == Kind::Slice) {
        const auto count = static_cast<std::int64_t>(base.items.size());
        const auto bound = [&](std::size_t which, std::int64_t byDefault) {
            const Value given = index.children[which].kind == Kind::None ? Value::plain(byDefault)
                                                                         : evaluate(index.children[which]);
            std::int64_t number = given.json.is_number_integer() ? given.json.get<std::int64_t>() : byDefault;
            number = number < 0 ? number + count : number;
            return std::clamp<std::int64_t>(number, 0, count);
        };
        Value part = Value::of(Value::Kind::List);
        for (std::int64_t i = bound(0, 0); i < bound(1, count); ++i)
            part.items.push_back(base.items[static_cast<std::size_t>(i)]);
        return part;
    }
    if (base.kind == Value::Kind::Dictionary) {
        const Value key = evaluate(index);
        for (std::size_t i = 0; i + 1 < base.items.size(); i += 2) {
            if (base.items[i].json == key.json)
                return base.items[i + 1];
        }
    }
    refuse(expression.place, "python/unsupported", "this is not among what is read here");
}

/// x[…] of a tensor: Keras makes a layer of it.
Value PythonEvaluator::sliceTensor(const Value& tensor, const PythonExpression& index) {
    const auto entryOf = [&](const PythonExpression& entry) {
        if (entry.kind != Kind::Slice)
            return entry.kind == Kind::Ellipsis ? Json{{"class_name", "__ellipsis__"}}
                                                : json(evaluate(entry), entry.place);
        Json bounds = Json::object();
        constexpr std::array<const char*, 3> names{"start", "stop", "step"};
        for (std::size_t i = 0; i < names.size(); ++i)
            bounds[names[i]] = json(evaluate(entry.children[i]), entry.place);
        return bounds;
    };
    Json spec = Json::array();
    if (index.kind == Kind::Tuple) {
        for (const PythonExpression& entry : index.children)
            spec.push_back(entryOf(entry));
    } else {
        spec.push_back(entryOf(index));
    }
    Arguments arguments{{tensor}, {{"slice_spec", Value{}}}, index.place};
    arguments.keywords[0].second.json = std::move(spec);
    PythonLayer layer;
    layer.className = "SlicingOpLambda";
    layer.place = index.place;
    layer.name = freshName("tf.__operators__.getitem");
    layer.config = {{"name", layer.name},
                    {"trainable", true},
                    {"dtype", "float32"},
                    {"function", "__operators__.getitem"}};
    m_facts.draft.layers.push_back(std::move(layer));
    return callLayer(static_cast<std::int64_t>(m_facts.draft.layers.size()) - 1, arguments);
}

Value PythonEvaluator::unary(const PythonExpression& expression) {
    if (expression.text == "not")
        return Value::plain(!isTrue(expression.children.at(0)));
    Value value = evaluate(expression.children.at(0));
    if (value.kind == Value::Kind::Data) {
        value.call = 0; // no placeholder any more
        return value;
    }
    if (value.kind == Value::Kind::Tensor && expression.text == "-") {
        Arguments arguments{{value}, {}, expression.place};
        return callOnTensors("math.negative", arguments);
    }
    if (value.kind != Value::Kind::Plain || !value.json.is_number())
        refuse(expression.place, "python/unsupported", "this is no number");
    if (expression.text == "-")
        value.json = value.json.is_number_integer() ? Json(-value.json.get<std::int64_t>())
                                                    : Json(-value.json.get<double>());
    return value;
}

bool PythonEvaluator::isTrue(const PythonExpression& condition) {
    const Value value = evaluate(condition);
    if (value.kind == Value::Kind::List || value.kind == Value::Kind::Dictionary)
        return !value.items.empty();
    if (value.kind == Value::Kind::Data)
        refuse(condition.place, "python/unsupported", "this condition depends on data");
    if (value.kind != Value::Kind::Plain)
        return true;
    if (value.json.is_boolean())
        return value.json.get<bool>();
    if (value.json.is_number())
        return value.json.get<double>() != 0;
    return value.json.is_string() ? !value.json.get_ref<const std::string&>().empty() : !value.json.is_null();
}

namespace {

/// Arithmetic on plain numbers as Python does it; nothing where it does not apply.
std::optional<Json> arithmetic(const std::string& text, const Json& a, const Json& b) {
    if (a.is_string() && b.is_string() && text == "+")
        return Json(a.get<std::string>() + b.get<std::string>());
    if (a.is_string() && text == "%")
        return a;
    if (!a.is_number() || !b.is_number())
        return std::nullopt;
    const double x = a.get<double>();
    const double y = b.get<double>();
    double result = 0;
    if (text == "+")
        result = x + y;
    else if (text == "-")
        result = x - y;
    else if (text == "*")
        result = x * y;
    else if (text == "/" && y != 0)
        return Json(x / y);
    else if (text == "//" && y != 0)
        result = std::floor(x / y);
    else if (text == "%" && y != 0)
        result = x - std::floor(x / y) * y;
    else if (text == "**")
        result = std::pow(x, y);
    else
        return std::nullopt;
    constexpr double exact = 9007199254740992.0;
    const bool isWhole = a.is_number_integer() && b.is_number_integer() && std::abs(result) < exact &&
                         result == std::floor(result);
    return isWhole ? Json(static_cast<std::int64_t>(result)) : Json(result);
}

std::optional<bool> comparison(const std::string& text, const Json& a, const Json& b) {
    if (text == "==" || text == "is")
        return a == b;
    if (text == "!=" || text == "is not")
        return a != b;
    if (a.is_string() && b.is_string() && (text == "in" || text == "not in"))
        return (b.get_ref<const std::string&>().find(a.get_ref<const std::string&>()) != std::string::npos) ==
               (text == "in");
    if (!a.is_number() || !b.is_number())
        return std::nullopt;
    const double x = a.get<double>();
    const double y = b.get<double>();
    if (text == "<")
        return x < y;
    if (text == "<=")
        return x <= y;
    if (text == ">")
        return x > y;
    return text == ">=" ? std::optional(x >= y) : std::nullopt;
}

} // namespace

Value PythonEvaluator::binary(const PythonExpression& expression) {
    const std::string& text = expression.text;
    if (text == "and" || text == "or") {
        const bool left = isTrue(expression.children.at(0));
        return left == (text == "or") ? evaluate(expression.children[0])
                                      : evaluate(expression.children.at(1));
    }
    const Value a = evaluate(expression.children.at(0));
    const Value b = evaluate(expression.children.at(1));
    if (a.kind == Value::Kind::Tensor || b.kind == Value::Kind::Tensor) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 6> functions{{
            {"+", "__operators__.add"},
            {"-", "math.subtract"},
            {"*", "math.multiply"},
            {"/", "math.truediv"},
            {"**", "math.pow"},
            {"@", "linalg.matmul"},
        }};
        for (const auto& [symbol, function] : functions) {
            if (symbol == text) {
                Arguments arguments{{a}, {{"y", b}}, expression.place};
                return callOnTensors(std::string(function), arguments);
            }
        }
    }
    if (a.kind == Value::Kind::Data || b.kind == Value::Kind::Data) {
        Value result = a.kind == Value::Kind::Data ? a : b;
        result.call = 0; // no placeholder any more
        return result;
    }
    if (a.kind == Value::Kind::List && b.kind == Value::Kind::List && text == "+") {
        Value joined = a;
        joined.items.insert(joined.items.end(), b.items.begin(), b.items.end());
        return joined;
    }
    if (a.kind == Value::Kind::List && text == "*" && b.json.is_number_integer()) {
        Value repeated = Value::of(Value::Kind::List);
        const std::int64_t count = b.json.get<std::int64_t>();
        constexpr std::size_t longest = 100000;
        for (std::int64_t i = 0; i < count && repeated.items.size() < longest; ++i)
            repeated.items.insert(repeated.items.end(), a.items.begin(), a.items.end());
        return repeated;
    }
    if (b.kind == Value::Kind::List && (text == "in" || text == "not in")) {
        const bool isIn = std::ranges::any_of(
            b.items, [&](const Value& item) { return item.kind == a.kind && item.json == a.json; });
        return Value::plain(isIn == (text == "in"));
    }
    if (a.kind == Value::Kind::Plain && b.kind == Value::Kind::Plain) {
        if (const auto result = arithmetic(text, a.json, b.json))
            return Value::plain(*result);
        if (const auto result = comparison(text, a.json, b.json))
            return Value::plain(*result);
    }
    if (text == "is" || text == "==")
        return Value::plain(false);
    if (text == "is not" || text == "!=")
        return Value::plain(true);
    refuse(expression.place, "python/unsupported", fmt::format("\"{}\" is not read here", text));
}

// ---- values as JSON -------------------------------------------------------------------------------------

/// Plain JSON of a value: library names by their last part, layers and Keras objects as Keras writes them.
Json PythonEvaluator::json(const Value& value, PythonPlace place) {
    switch (value.kind) {
    case Value::Kind::Plain:
    case Value::Kind::Object:
        return value.json;
    case Value::Kind::Symbol:
        return lastPart(value.text);
    case Value::Kind::List: {
        Json list = Json::array();
        for (const Value& item : value.items)
            list.push_back(json(item, place));
        return list;
    }
    case Value::Kind::Dictionary: {
        Json object = Json::object();
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
            const Json key = json(value.items[i], place);
            object[key.is_string() ? key.get<std::string>() : key.dump()] = json(value.items[i + 1], place);
        }
        return object;
    }
    case Value::Kind::Layer: {
        const PythonLayer& layer = m_facts.draft.layers[static_cast<std::size_t>(value.index)];
        if (layer.model < 0)
            return {{"class_name", layer.className}, {"config", layer.config}};
        return m_facts.draft.kerasJson(layer.model);
    }
    case Value::Kind::Model:
        return m_facts.draft.kerasJson(value.index);
    default:
        refuse(place, "python/value", "this value is not written in the program",
               {"write it as a number, a text or a list"});
    }
}

std::string PythonEvaluator::freshName(const std::string& stem, bool startsAtOne) {
    while (true) {
        const std::int64_t count = m_counts[stem]++;
        std::string name =
            count == 0 && !startsAtOne ? stem : fmt::format("{}_{}", stem, count + (startsAtOne ? 1 : 0));
        if (m_usedNames.insert(name).second)
            return name;
    }
}

} // namespace core
