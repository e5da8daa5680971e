// Regular expressions of a program, on texts that it says.
#include "core/interchange/python/apis/standard/text_patterns.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <string>
#include <utility>

namespace core {

namespace {

constexpr const char* patternClass = "re.Pattern";
constexpr const char* matchClass = "re.Match";
// Together they bound the time of a match, which grows with the states of the pattern and the square of the
// text.
constexpr std::size_t longestText = 256;
constexpr std::size_t longestPattern = 128;
constexpr std::int64_t mostRepeats = 32;

using Attributes = std::map<std::string, PythonValue>;

struct Pattern {
    std::regex regex;
    /// Names of the groups, in their order; empty: it has none.
    std::vector<std::string> names;
};

/// A pattern of Python in the grammar of ECMAScript; nothing where that says it otherwise, or not at all.
std::optional<std::pair<std::string, std::vector<std::string>>> inGrammar(const std::string& text) {
    std::string made;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            const char next = text[++i];
            if (next == 'A' || next == 'Z') { // of the whole text: no line ends inside it are asked for
                made += next == 'A' ? '^' : '$';
            } else if (next >= '1' && next <= '9') {
                return std::nullopt;
            } else {
                made += {'\\', next};
            }
            continue;
        }
        made += text[i];
        if (text[i] != '(')
            continue;
        if (text.compare(i, 4, "(?P<") == 0) {
            const std::size_t end = text.find('>', i);
            if (end == std::string::npos)
                return std::nullopt;
            names.push_back(text.substr(i + 4, end - i - 4));
            i = end;
        } else if (i + 2 < text.size() && text[i + 1] == '?') {
            if (text[i + 2] != ':' && text[i + 2] != '=' && text[i + 2] != '!')
                return std::nullopt;
        } else {
            names.emplace_back();
        }
    }
    return std::pair(std::move(made), std::move(names));
}

/// How often the counts in braces repeat what they stand behind, multiplied with one another.
std::int64_t repeatsIn(const std::string& text) {
    std::int64_t product = 1;
    std::int64_t largest = 0;
    std::int64_t number = 0;
    bool isInside = false;
    for (const char c : text) {
        if (c == '{') {
            isInside = true;
            largest = number = 0;
        } else if (isInside && c >= '0' && c <= '9' && number <= mostRepeats) {
            number = number * 10 + (c - '0');
            largest = std::max(largest, number);
        } else if (isInside && c == ',') {
            number = 0;
        } else if (isInside && c == '}') {
            product *= std::max<std::int64_t>(largest, 1);
            isInside = false;
        }
        if (product > mostRepeats)
            return product;
    }
    return product;
}

/// Matched in a time that grows with the text alone, whatever the pattern repeats.
std::optional<Pattern> compiled(const std::string& text, bool ignoresCase) {
    const auto grammar = inGrammar(text);
    if (!grammar || text.size() > longestPattern || repeatsIn(text) > mostRepeats)
        return std::nullopt;
    auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial;
    if (ignoresCase)
        flags |= std::regex::icase;
    try {
        return Pattern{std::regex(grammar->first, flags), grammar->second};
    } catch (const std::regex_error&) { // the library says by it what it cannot read
        return std::nullopt;
    }
}

bool ignoresCase(const PythonValue* flags) {
    const auto* name = flags == nullptr ? nullptr : flags->as<PythonLibraryName>();
    return name != nullptr && (name->path == "re.IGNORECASE" || name->path == "re.I");
}

/// A text, or what re.compile() made of it.
std::optional<Pattern> patternOf(const PythonValue& value, const PythonValue* flags) {
    if (value.isText())
        return compiled(value.constant().get<std::string>(), ignoresCase(flags));
    const auto* object = value.as<PythonLibraryObject>();
    if (object == nullptr || object->className != patternClass)
        return std::nullopt;
    return compiled(object->attributes->at("pattern").constant().get<std::string>(),
                    object->attributes->at("ignoresCase").constant() == true);
}

PythonValue groupOf(const std::smatch& match, std::size_t group) {
    return match[group].matched ? pythonText(match[group].str()) : PythonValue();
}

PythonValue matchObject(const std::smatch& match, const Pattern& pattern) {
    PythonValues groups;
    std::vector<std::pair<PythonValue, PythonValue>> named;
    for (std::size_t i = 0; i < match.size(); ++i) {
        groups.push_back(groupOf(match, i));
        if (i > 0 && i <= pattern.names.size() && !pattern.names[i - 1].empty())
            named.emplace_back(pythonText(pattern.names[i - 1]), groups.back());
    }
    PythonLibraryObject object{matchClass, std::make_shared<Attributes>()};
    (*object.attributes)["$groups"] = pythonList(std::move(groups), true);
    (*object.attributes)["$named"] = pythonDictionary(std::move(named));
    (*object.attributes)["$start"] = pythonConstant(match.position(0));
    (*object.attributes)["$end"] = pythonConstant(match.position(0) + match.length(0));
    return object;
}

/// What findall() and split() give of a match: its groups, or all of it where it has none.
PythonValue found(const std::smatch& match) {
    if (match.size() <= 2)
        return pythonText(match[match.size() - 1].str());
    PythonValues groups;
    for (std::size_t i = 1; i < match.size(); ++i)
        groups.push_back(pythonText(match[i].str()));
    return pythonList(std::move(groups), true);
}

PythonValue splitText(const std::string& text, const Pattern& pattern, std::int64_t most) {
    PythonValues parts;
    std::string rest = text;
    std::smatch match;
    while ((most <= 0 || static_cast<std::int64_t>(parts.size()) < most) &&
           std::regex_search(rest, match, pattern.regex) && match.length(0) > 0) {
        parts.push_back(pythonText(match.prefix().str()));
        for (std::size_t i = 1; i < match.size(); ++i)
            parts.push_back(groupOf(match, i));
        rest = match.suffix().str();
    }
    parts.push_back(pythonText(rest));
    return pythonList(std::move(parts));
}

PythonValue allFound(const std::string& text, const Pattern& pattern) {
    PythonValues list;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern.regex), end; at != end; ++at)
        list.push_back(found(*at));
    return pythonList(std::move(list));
}

/// A text in which groups stand as \1 and \g<1>, or a function of the match.
std::optional<std::string> replacement(const PythonApiCall& call, const PythonValue& by,
                                       const std::smatch& match, const Pattern& pattern) {
    if (!by.isText()) {
        PythonArguments one{{matchObject(match, pattern)}, {}, call.place()};
        const PythonValue made = call.interpreter.call(by, one);
        return made.isText() ? std::optional(made.constant().get<std::string>()) : std::nullopt;
    }
    const auto text = by.constant().get<std::string>();
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            made += text[i];
            continue;
        }
        ++i;
        if (text[i] < '1' || text[i] > '9')
            return std::nullopt;
        const auto group = static_cast<std::size_t>(text[i] - '0');
        made += group < match.size() ? match[group].str() : "";
    }
    return made;
}

PythonValue replaced(const PythonApiCall& call, const PythonValue& by, const std::string& text,
                     const Pattern& pattern) {
    std::string made;
    auto last = text.begin();
    for (std::sregex_iterator at(text.begin(), text.end(), pattern.regex), end; at != end; ++at) {
        const auto one = replacement(call, by, *at, pattern);
        if (!one)
            return PythonData();
        made.append(last, (*at)[0].first);
        made += *one;
        last = (*at)[0].second;
    }
    made.append(last, text.end());
    return pythonText(std::move(made));
}

/// re.f(pattern, …, text), and the same function of a pattern.
PythonValue usePattern(const PythonApiCall& call) {
    const std::string name = call.name();
    const bool replaces = name == "sub";
    const std::size_t at = replaces ? 2 : 1;
    const PythonValue* expression = call.arguments.find("pattern", 0);
    const PythonValue* given = call.arguments.find("string", at);
    const bool hasLimit = name == "split" || replaces;
    const PythonValue* flags = call.arguments.find("flags", hasLimit ? at + 2 : at + 1);
    const auto pattern = expression == nullptr ? std::nullopt : patternOf(*expression, flags);
    if (!pattern || given == nullptr || !given->isText())
        return PythonData();
    const auto text = given->constant().get<std::string>();
    if (text.size() > longestText)
        return PythonData();
    if (name == "findall")
        return allFound(text, *pattern);
    if (name == "split") {
        const PythonValue* most = call.arguments.find("maxsplit", at + 1);
        return splitText(text, *pattern,
                         most != nullptr && most->isWhole() ? most->constant().get<std::int64_t>() : 0);
    }
    const PythonValue* by = call.arguments.find("repl", 1);
    if (replaces)
        return by == nullptr ? PythonValue(PythonData()) : replaced(call, *by, text, *pattern);
    std::smatch match;
    const bool isFound = name == "fullmatch" ? std::regex_match(text, match, pattern->regex)
                         : name == "match"   ? std::regex_search(text, match, pattern->regex,
                                                                 std::regex_constants::match_continuous)
                                             : std::regex_search(text, match, pattern->regex);
    return isFound ? matchObject(match, *pattern) : PythonValue();
}

PythonValue compilePattern(const PythonApiCall& call) {
    const PythonValue* expression = call.arguments.find("pattern", 0);
    if (expression == nullptr || !expression->isText())
        return PythonData();
    PythonLibraryObject object{patternClass, std::make_shared<Attributes>()};
    (*object.attributes)["pattern"] = *expression;
    (*object.attributes)["ignoresCase"] = pythonConstant(ignoresCase(call.arguments.find("flags", 1)));
    return object;
}

PythonValue escaped(const PythonApiCall& call) {
    if (call.arguments.list.empty() || !call.arguments.list[0].isText())
        return PythonData();
    std::string made;
    for (const char c : call.arguments.list[0].constant().get<std::string>()) {
        if (std::string_view(R"(\.^$*+?{}[]|()-&#~ )").find(c) != std::string_view::npos)
            made += '\\';
        made += c;
    }
    return pythonText(std::move(made));
}

const Attributes& matchOf(const PythonApiCall& call) {
    return *call.arguments.list.at(0).as<PythonLibraryObject>()->attributes;
}

PythonValue oneGroup(const PythonApiCall& call, const Attributes& match, const PythonValue& which) {
    const PythonValues& groups = match.at("$groups").items();
    if (which.isWhole()) {
        const std::int64_t at = which.constant().get<std::int64_t>();
        if (at >= 0 && at < static_cast<std::int64_t>(groups.size()))
            return groups[static_cast<std::size_t>(at)];
    }
    for (const auto& [name, group] : *match.at("$named").as<PythonDictionary>()->entries)
        if (which.isText() && name.constant() == which.constant())
            return group;
    call.refuse("python/value", "the pattern has no such group",
                {"ask for a group that stands in brackets in it"});
}

PythonValue groupOfMatch(const PythonApiCall& call) {
    const Attributes& match = matchOf(call);
    const PythonValues wanted(call.arguments.list.begin() + 1, call.arguments.list.end());
    if (wanted.size() < 2)
        return oneGroup(call, match, wanted.empty() ? pythonConstant(0) : wanted.front());
    PythonValues groups;
    for (const PythonValue& which : wanted)
        groups.push_back(oneGroup(call, match, which));
    return pythonList(std::move(groups), true);
}

PythonValue groupsOfMatch(const PythonApiCall& call) {
    const PythonValues& all = matchOf(call).at("$groups").items();
    return pythonList({all.begin() + 1, all.end()}, true);
}

} // namespace

std::vector<PythonApiName> textPatternFunctions() {
    std::vector<PythonApiName> names;
    for (const char* function : {"match", "search", "fullmatch", "findall", "split", "sub"}) {
        names.push_back(readName(std::string("re.") + function, usePattern));
        names.push_back(readName(std::string(patternClass) + "." + function, usePattern));
    }
    const std::string match = matchClass;
    for (PythonApiName& row : std::vector<PythonApiName>{
             readName("re.compile", compilePattern), readName("re.escape", escaped),
             readName(match + ".group", groupOfMatch), readName(match + ".groups", groupsOfMatch),
             readName(match + ".groupdict", [](const auto& call) { return matchOf(call).at("$named"); }),
             readName(match + ".start", [](const auto& call) { return matchOf(call).at("$start"); }),
             readName(match + ".end", [](const auto& call) { return matchOf(call).at("$end"); })})
        names.push_back(std::move(row));
    return names;
}

} // namespace core
