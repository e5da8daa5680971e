// Values as loops, conditions and texts take them.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/text_format.h"

#include <fmt/format.h>
#include <utility>

namespace core {

PythonValues PythonInterpreter::iterate(const PythonValue& value, PythonPlace place) {
    if (const auto* list = value.as<PythonList>()) {
        if (list->isIterator)
            return std::exchange(*list->items, {});
        return *list->items;
    }
    if (const auto* object = value.as<PythonInstance>()) {
        PythonArguments none{{}, {}, place};
        if (object->definition->kind == PythonClassKind::NamedTuple) {
            PythonValues fields;
            for (const PythonField& field : object->definition->fields)
                fields.push_back(object->attributes->at(field.name));
            return fields;
        }
        return iterate(callOwn(*object, "__iter__", none), place);
    }
    if (const auto* type = value.as<PythonClassName>();
        type != nullptr && type->definition->kind == PythonClassKind::Enumeration) {
        PythonValues entries;
        for (const std::string& name : type->definition->order)
            entries.push_back(type->definition->attributes->at(name));
        return entries;
    }
    if (const auto* dictionary = value.as<PythonDictionary>()) {
        PythonValues keys;
        for (const auto& entry : *dictionary->entries)
            keys.push_back(entry.first);
        return keys;
    }
    if (value.isText()) {
        PythonValues letters;
        for (const char c : value.constant().get_ref<const std::string&>())
            letters.push_back(pythonText(std::string(1, c)));
        return letters;
    }
    if (auto members = m_library.members(value))
        return std::move(*members);
    if (const auto rounds = m_library.rounds(value); rounds && rounds->count >= 0) {
        constexpr std::int64_t longest = 100000;
        if (rounds->count > longest)
            m_messages.refuse(place, "python/endless",
                              fmt::format("more than {} samples are not followed one by one", longest),
                              {"train with model.fit()"});
        countWork(static_cast<std::size_t>(rounds->count), place);
        PythonValues samples(static_cast<std::size_t>(rounds->count), rounds->element);
        for (std::size_t i = 0; rounds->isNumbered && i < samples.size(); ++i)
            samples[i] = pythonList({pythonConstant(i), rounds->element}, true);
        return samples;
    }
    if (isOfRun(value))
        refuseData(place, value,
                   "a loop over data is not followed: the program does not say how often it runs",
                   {"say how often: for batch in dataset.take(N)",
                    "train with model.fit(), or loop over range(N) with a number N"});
    m_messages.refuse(place, "python/unsupported", "this loop is not followed",
                      {"loop over a list or range()"});
}

bool PythonInterpreter::isTrue(const PythonValue& value, PythonPlace place) {
    if (isOfRun(value))
        refuseData(place, value, "this condition depends on data",
                   {"write the value that it asks for in the program"});
    if (value.is<PythonTensor>() || value.is<PythonLoss>())
        m_messages.refuse(place, "python/value",
                          "this condition is on a tensor, whose numbers only a run knows",
                          {"choose between two tensors by tf.where(condition, a, b)",
                           "write the value that it asks for in the program"});
    if (value.is<PythonList>())
        return !value.items().empty();
    if (const auto* dictionary = value.as<PythonDictionary>())
        return !dictionary->entries->empty();
    if (const auto* object = value.as<PythonInstance>())
        for (const char* name : {"__bool__", "__len__"})
            if (object->definition->function(name) != nullptr) {
                PythonArguments none{{}, {}, place};
                return isTrue(callOwn(*object, name, none), place);
            }
    if (!value.is<PythonConstant>())
        return true;
    const Json& json = value.constant();
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number())
        return json.get<double>() != 0;
    return json.is_string() ? !json.get_ref<const std::string&>().empty() : !json.is_null();
}

std::string PythonInterpreter::text(const PythonValue& value, PythonPlace place) {
    if (const auto* object = value.as<PythonInstance>()) {
        PythonArguments none{{}, {}, place};
        for (const char* name : {"__str__", "__repr__"})
            if (object->definition->function(name) != nullptr) {
                PythonValue said = callOwn(*object, name, none);
                if (said.isText())
                    return said.constant().get<std::string>();
            }
        if (object->definition->kind == PythonClassKind::Enumeration)
            return object->definition->name + "." + text(object->attributes->at("name"), place);
    }
    if (const auto* object = value.as<PythonLibraryObject>())
        if (const auto said = object->attributes->find(std::string(pythonTextFunction));
            said != object->attributes->end() && said->second.isText())
            return said->second.constant().get<std::string>();
    auto written = formatValue(value, "");
    if (!written)
        m_messages.refuse(place, "python/unsupported", "this value has no text that is known here",
                          {"write the text as it is"});
    return std::move(*written);
}

PythonValue PythonInterpreter::formattedText(const PythonExpression& expression) {
    std::string whole;
    for (const PythonExpression& piece : expression.children) {
        if (piece.kind == PythonExpression::Kind::Text) {
            whole += piece.text;
            continue;
        }
        const PythonValue value = evaluate(piece.children.at(0));
        const bool isOwn = value.is<PythonInstance>() || value.is<PythonClassName>();
        std::string specification = piece.text;
        if (piece.children.size() > 1) { // a specification with values in braces of its own
            const PythonValue inner = formattedText(piece.children[1]);
            specification = inner.isText() ? inner.constant().get<std::string>() : std::string(1, '?');
        }
        if (!value.is<PythonConstant>() && !isOwn && !specification.starts_with("!r:") &&
            !formatValue(value, specification))
            return PythonData();
        if (const auto* object = value.as<PythonInstance>();
            object != nullptr && object->definition->function("__format__") != nullptr &&
            !specification.starts_with("!")) {
            PythonArguments one{{pythonText(specification)}, {}, piece.place};
            const PythonValue said = callOwn(*object, "__format__", one);
            if (!said.isText())
                return PythonData();
            whole += said.constant().get<std::string>();
            continue;
        }
        if (specification.starts_with("!r") && specification.size() > 2) { // f"{x!r:>6}"
            const auto written = formatValue(value, "!r");
            const auto formatted =
                written ? formatValue(pythonText(*written), specification.substr(3)) : std::nullopt;
            if (!formatted)
                return PythonData();
            whole += *formatted;
            continue;
        }
        const auto formatted =
            isOwn ? std::optional(text(value, piece.place)) : formatValue(value, specification);
        constexpr std::string_view kinds = "bcdeEfFgGnosxX%";
        const bool isNone = !specification.empty() && value.isNumber() &&
                            std::isalpha(static_cast<unsigned char>(specification.back())) != 0 &&
                            kinds.find(specification.back()) == std::string_view::npos;
        if (!formatted && isNone)
            m_messages.raise(piece.place, {"ValueError", "Exception"}, "python/unsupported",
                             fmt::format("\"{}\" is no format of a number", quotedName(specification)),
                             {"write the text as it is, or with {}"});
        if (!formatted) // how it looks only a run knows
            return PythonData();
        whole += *formatted;
    }
    return pythonText(std::move(whole));
}

} // namespace core
