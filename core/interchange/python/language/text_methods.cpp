// The functions of texts.
#include "core/interchange/python/language/text_format.h"
#include "core/interchange/python/language/value_methods.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

using TextCall = PythonValueCall;

[[noreturn]] void refuseText(const TextCall& call, std::string message, std::string cure) {
    call.interpreter.messages().refuse(call.arguments.place, "python/value", std::move(message),
                                       {std::move(cure)});
}

const PythonValue& firstOf(const TextCall& call) {
    if (call.arguments.list.empty())
        refuseText(call, fmt::format("{}() lacks its argument", call.name), "pass it in the brackets");
    return call.arguments.list.front();
}

const std::string& textArgument(const TextCall& call) {
    if (!firstOf(call).isText())
        refuseText(call, fmt::format("{}() takes a text here", call.name), "write the text in quotes");
    return call.arguments.list.front().constant().get_ref<const std::string&>();
}

const std::string& ownText(const TextCall& call) {
    return call.owner.constant().get_ref<const std::string&>();
}

PythonValue startsOrEnds(const TextCall& call) {
    if (firstOf(call).is<PythonList>()) {
        const PythonValues parts = firstOf(call).items();
        return pythonConstant(std::ranges::any_of(parts, [&](const PythonValue& one) {
            PythonArguments part{{one}, {}, call.arguments.place};
            return startsOrEnds({call.interpreter, call.owner, call.name, part}).constant() == true;
        }));
    }
    const std::string& part = textArgument(call);
    return pythonConstant(call.name == "startswith" ? ownText(call).starts_with(part)
                                                    : ownText(call).ends_with(part));
}

PythonValue formatText(const TextCall& call) {
    auto text = formatByBraces(ownText(call), call.arguments);
    const auto isOpen = [](const PythonValue& value) { return !value.is<PythonConstant>(); };
    if (!text && (std::ranges::any_of(call.arguments.list, isOpen) ||
                  std::ranges::any_of(call.arguments.keywords,
                                      [&](const auto& entry) { return isOpen(entry.second); })))
        return PythonData(); // what a run computes has no text here
    if (!text)
        refuseText(call, "what this text is formatted with is not read", "write the text as it is");
    return pythonText(std::move(*text));
}

PythonValue joinTexts(const TextCall& call) {
    if (firstOf(call).is<PythonData>())
        return firstOf(call);
    std::string whole;
    bool isFirst = true;
    for (const PythonValue& item : call.interpreter.iterate(firstOf(call), call.arguments.place)) {
        if (item.is<PythonData>())
            return PythonData();
        whole += isFirst ? "" : ownText(call);
        whole += call.interpreter.text(item, call.arguments.place);
        isFirst = false;
        call.interpreter.countWork(ownText(call).size(), call.arguments.place);
    }
    return pythonText(std::move(whole));
}

std::int64_t wholeOr(const TextCall& call, std::string_view name, std::size_t position, std::int64_t other) {
    const PythonValue* given = call.arguments.find(name, position);
    return given != nullptr && given->isWhole() ? given->constant().get<std::int64_t>() : other;
}

/// split() and rsplit().
PythonValue splitText(const TextCall& call) {
    constexpr const char* blanks = " \t\n\r\f\v";
    std::string text = ownText(call);
    const PythonValue* given = call.arguments.given("sep", 0);
    const std::string by = given == nullptr  ? " "
                           : given->isText() ? given->constant().get<std::string>()
                                             : "";
    if (by.empty())
        refuseText(call, "split() takes a text here", "write the text in quotes");
    std::int64_t most = wholeOr(call, "maxsplit", 1, -1);
    if (given == nullptr) {
        PythonValues words;
        std::size_t begin = text.find_first_not_of(blanks);
        while (begin != std::string::npos) {
            const std::size_t end =
                most-- == 0 ? text.size() : std::min(text.find_first_of(blanks, begin), text.size());
            words.push_back(pythonText(text.substr(begin, end - begin)));
            begin = text.find_first_not_of(blanks, end);
        }
        return pythonList(std::move(words));
    }
    PythonValues parts;
    while (most-- != 0) {
        const std::size_t at = call.name == "rsplit" ? text.rfind(by) : text.find(by);
        if (at == std::string::npos)
            break;
        const std::string before = text.substr(0, at);
        const std::string after = text.substr(at + by.size());
        parts.push_back(pythonText(call.name == "rsplit" ? after : before));
        text = call.name == "rsplit" ? before : after;
        call.interpreter.countWork(text.size(), call.arguments.place);
    }
    parts.push_back(pythonText(std::move(text)));
    if (call.name == "rsplit")
        std::ranges::reverse(parts);
    return pythonList(std::move(parts));
}

PythonValue splitLines(const TextCall& call) {
    PythonValues lines;
    std::string line;
    for (const char c : ownText(call)) {
        if (c != '\n') {
            line += c;
            continue;
        }
        lines.push_back(pythonText(std::exchange(line, {})));
    }
    if (!line.empty())
        lines.push_back(pythonText(std::move(line)));
    return pythonList(std::move(lines));
}

/// partition() and rpartition().
PythonValue partition(const TextCall& call) {
    const std::string& by = textArgument(call);
    const std::string& text = ownText(call);
    const bool isLast = call.name == "rpartition";
    const std::size_t at = isLast ? text.rfind(by) : text.find(by);
    if (at == std::string::npos)
        return pythonList({pythonText(isLast ? "" : text), pythonText(""), pythonText(isLast ? text : "")},
                          true);
    return pythonList(
        {pythonText(text.substr(0, at)), pythonText(by), pythonText(text.substr(at + by.size()))}, true);
}

PythonValue changeCase(const TextCall& call) {
    std::string text = ownText(call);
    bool isInside = false;
    for (char& c : text) {
        const int letter = static_cast<unsigned char>(c);
        const bool isUpper = call.name == "upper" ||
                             (!isInside && (call.name == "title" || call.name == "capitalize")) ||
                             (call.name == "swapcase" && std::islower(letter) != 0);
        c = static_cast<char>(isUpper ? std::toupper(letter) : std::tolower(letter));
        isInside = call.name == "capitalize" || std::isalpha(letter) != 0;
    }
    return pythonText(std::move(text));
}

PythonValue replace(const TextCall& call) {
    const std::string from = textArgument(call);
    const PythonValue* to = call.arguments.find("new", 1);
    if (to == nullptr || !to->isText() || from.empty())
        refuseText(call, "replace() takes two texts", "write both in quotes");
    const std::string& by = to->constant().get_ref<const std::string&>();
    const std::string& text = ownText(call);
    std::int64_t most = wholeOr(call, "count", 2, -1);
    std::string result;
    std::size_t begin = 0;
    for (std::size_t at = text.find(from); at != std::string::npos && most-- != 0;
         at = text.find(from, begin)) {
        result += text.substr(begin, at - begin) + by;
        begin = at + from.size();
        call.interpreter.countWork(by.size(), call.arguments.place);
    }
    return pythonText(result + text.substr(begin));
}

/// strip(), lstrip() and rstrip().
PythonValue strip(const TextCall& call) {
    const std::string& text = ownText(call);
    const std::string letters = call.arguments.list.empty() ? " \t\n\r" : textArgument(call);
    const std::size_t begin = call.name == "rstrip" ? 0 : text.find_first_not_of(letters);
    const std::size_t last = call.name == "lstrip" ? text.size() : text.find_last_not_of(letters);
    if (begin == std::string::npos || last == std::string::npos)
        return pythonText("");
    return pythonText(text.substr(begin, last == text.size() ? last : last - begin + 1));
}

PythonValue removeEnd(const TextCall& call) {
    const std::string& part = textArgument(call);
    const std::string& text = ownText(call);
    if (call.name == "removeprefix")
        return pythonText(text.starts_with(part) ? text.substr(part.size()) : text);
    return pythonText(text.ends_with(part) ? text.substr(0, text.size() - part.size()) : text);
}

/// find(), rfind(), index() and count() of a text.
PythonValue findText(const TextCall& call) {
    const std::string& part = textArgument(call);
    const std::string& text = ownText(call);
    if (call.name == "count") {
        std::int64_t found = 0;
        for (std::size_t at = text.find(part); !part.empty() && at != std::string::npos;
             at = text.find(part, at + part.size()))
            ++found;
        return pythonConstant(found);
    }
    const std::size_t at = call.name == "rfind" ? text.rfind(part) : text.find(part);
    if (at == std::string::npos && call.name == "index")
        call.interpreter.messages().raise(call.arguments.place, {"ValueError", "Exception"}, "python/value",
                                          "the text has no such part", {"ask with \"in\" before"});
    return pythonConstant(at == std::string::npos ? std::int64_t{-1} : static_cast<std::int64_t>(at));
}

/// zfill(), ljust(), rjust() and center().
PythonValue padded(const TextCall& call) {
    constexpr std::int64_t widest = 10000;
    const std::string& text = ownText(call);
    const std::int64_t width = wholeOr(call, "width", 0, 0);
    if (width > widest)
        refuseText(call, fmt::format("a text of more than {} letters is not made", widest),
                   "take a smaller width");
    const auto size = static_cast<std::int64_t>(text.size());
    const std::size_t lacks = width > size ? static_cast<std::size_t>(width - size) : 0;
    const PythonValue* fill = call.arguments.find("fillchar", 1);
    const std::string by = call.name == "zfill"                ? "0"
                           : fill != nullptr && fill->isText() ? fill->constant().get<std::string>()
                                                               : " ";
    const char letter = by.empty() ? ' ' : by[0];
    if (call.name == "ljust")
        return pythonText(text + std::string(lacks, letter));
    if (call.name == "center") {
        const std::size_t left = lacks / 2 + (lacks & static_cast<std::size_t>(width) & 1U);
        return pythonText(std::string(left, letter) + text + std::string(lacks - left, letter));
    }
    const bool hasSign = call.name == "zfill" && (text.starts_with("-") || text.starts_with("+"));
    return pythonText((hasSign ? text.substr(0, 1) : "") + std::string(lacks, letter) +
                      (hasSign ? text.substr(1) : text));
}

/// isdigit(), isalpha(), isupper() …
PythonValue consistsOf(const TextCall& call) {
    const std::string& text = ownText(call);
    const auto fits = [&](char c) {
        const int letter = static_cast<unsigned char>(c);
        if (call.name == "isalpha")
            return std::isalpha(letter) != 0;
        if (call.name == "isalnum")
            return std::isalnum(letter) != 0;
        if (call.name == "isspace")
            return std::isspace(letter) != 0;
        if (call.name == "isupper")
            return std::islower(letter) == 0;
        return call.name == "islower" ? std::isupper(letter) == 0 : std::isdigit(letter) != 0;
    };
    return pythonConstant(!text.empty() && std::ranges::all_of(text, fits));
}

struct TextMethod {
    std::string_view name;
    PythonValueMethod method;
};
constexpr std::array<TextMethod, 36> textMethods{{{"startswith", startsOrEnds},
                                                  {"endswith", startsOrEnds},
                                                  {"format", formatText},
                                                  {"join", joinTexts},
                                                  {"split", splitText},
                                                  {"rsplit", splitText},
                                                  {"splitlines", splitLines},
                                                  {"partition", partition},
                                                  {"rpartition", partition},
                                                  {"upper", changeCase},
                                                  {"lower", changeCase},
                                                  {"title", changeCase},
                                                  {"capitalize", changeCase},
                                                  {"swapcase", changeCase},
                                                  {"replace", replace},
                                                  {"strip", strip},
                                                  {"lstrip", strip},
                                                  {"rstrip", strip},
                                                  {"removeprefix", removeEnd},
                                                  {"removesuffix", removeEnd},
                                                  {"find", findText},
                                                  {"rfind", findText},
                                                  {"index", findText},
                                                  {"count", findText},
                                                  {"zfill", padded},
                                                  {"ljust", padded},
                                                  {"rjust", padded},
                                                  {"center", padded},
                                                  {"isdigit", consistsOf},
                                                  {"isnumeric", consistsOf},
                                                  {"isdecimal", consistsOf},
                                                  {"isalpha", consistsOf},
                                                  {"isalnum", consistsOf},
                                                  {"isspace", consistsOf},
                                                  {"isupper", consistsOf},
                                                  {"islower", consistsOf}}};

} // namespace

PythonValueMethod findTextMethod(const std::string& name) {
    const auto found = std::ranges::find(textMethods, name, &TextMethod::name);
    return found == textMethods.end() ? nullptr : found->method;
}

} // namespace core
