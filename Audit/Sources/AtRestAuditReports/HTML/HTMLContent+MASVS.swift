import AtRestAuditModel

extension HTMLContent {
  /// The tests of the MASTG by control, with their results.
  var controls: String {
    guard !all.isEmpty else { return "" }
    let counts = MASVSReport.summary(of: report, all, nil)
    var output =
      "<p>With findings: \(counts.found), without: \(counts.clean), not checked: "
      + "\(counts.unchecked). A test without findings is no proof.</p>\n"
    for control in MASVSControl.allCases {
      output += "<details><summary>\(control.rawValue): \(control.title)</summary>\n<ul>\n"
      for row in MASVSReport.rows(of: control, in: report, all, nil).rows {
        let result = XMLText.escaped(row.result.text(in: report))
        output += "<li>\(row.test.id), \(row.test.subject): \(result)</li>\n"
      }
      output += "</ul></details>\n"
    }
    return output
  }
}
