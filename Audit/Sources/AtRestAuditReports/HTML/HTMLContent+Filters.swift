import AtRestAuditModel

extension HTMLContent {
  /// The form with the filters, which is hidden until the page's script has run.
  var filters: String {
    var output = """
      <form class="filters" role="search" aria-label="Filter findings" autocomplete="off" hidden>
      <label>Search <input type="search" id="search" \
      aria-keyshortcuts="/" placeholder="path, text, rule"></label>

      """
    output += select("rule", "Rule", report.findings.map(\.rule.rawValue))
    output += select("place", "In", report.findings.map(place))
    output += select(
      "class", "Protection", report.findings.compactMap { $0.exhibit?.protectionClass })
    output += "<fieldset><legend>Severity</legend>\n"
    for severity in Severity.allCases.reversed()
    where report.findings.contains(where: { $0.severity == severity }) {
      output += "<label><input type=\"checkbox\" name=\"severity\" "
      output += "value=\"\(severity.rawValue)\" checked> \(severity.rawValue)</label>\n"
    }
    return output + """
      </fieldset>
      <fieldset><legend>Group by</legend>
      <label><input type="radio" name="group" value="problem" checked> problem</label>
      <label><input type="radio" name="group" value="path"> file</label>
      <label><input type="radio" name="group" value="rule"> rule</label>
      </fieldset>
      <label><input type="checkbox" id="keys" checked> keys <kbd>/</kbd> search, \
      <kbd>j</kbd> next, <kbd>k</kbd> previous</label>
      <button type="reset">Show all</button>
      <output id="shown" aria-live="polite">\(Display.count(report.findings.count, "finding"))\
      </output>
      </form>

      """
  }

  /// Returns a menu of values. If there is only one value, the result is empty, except for the menu
  /// of rules.
  private func select(_ id: String, _ label: String, _ values: [String]) -> String {
    let values = Set(values).sorted()
    guard values.count > 1 || id == "rule" else { return "" }
    let options = values.map {
      "<option value=\"\(Self.shown($0))\">\(Self.shown(Display.cut($0, 60)))</option>\n"
    }
    return "<label>\(label) <select id=\"\(id)\"><option value=\"\">all</option>\n"
      + "\(options.joined())</select></label>\n"
  }
}
