import AtRestAuditModel
import Foundation

extension HTMLContent {
  /// The maximum number of files that are listed per container. Files with findings come first.
  private static let fileLimit = 2000
  /// The maximum number of files in a class whose list is open when the page opens. Only a list
  /// with findings is open.
  private static let openLimit = 12

  /// The files of each protection class, with their findings.
  var protection: String {
    report.containers.filter { !$0.files.isEmpty }.map { container in
      let classes = Dictionary(grouping: container.files, by: \.protectionClass)
      var left = Self.fileLimit
      let order = classes.keys.sorted { ProtectionText.order($0) < ProtectionText.order($1) }
      return "<h3>\(Self.shown(container.name))</h3>\n"
        + order.map { part(of: container, $0, classes[$0] ?? [], &left) }.joined()
    }.joined()
  }

  private func part(
    of container: ContainerSummary, _ name: String?, _ files: [ContainerSummary.File],
    _ left: inout Int
  ) -> String {
    let paths = files.map { path(of: $0, in: container) }
    let counts = paths.map { $0.flatMap { findingsOfFiles[$0] } ?? 0 }
    let affected = counts.count { $0 > 0 }
    func share(_ count: Int) -> Int { count * 100 / max(container.files.count, 1) }
    let bytes = files.reduce(0) { $0.addingReportingOverflow(max($1.size, 0)).partialValue }
    let isOpen = affected > 0 && files.count <= Self.openLimit
    var output = """
      <details class="class"\(isOpen ? " open" : "")><summary>\
      <b>\(Self.shown(name ?? "Unknown class"))</b> \
      <span class="soft">\(ProtectionText.meaning(name))</span> \
      <span>\(Display.count(files.count, "file")), \(Display.size(bytes))\
      \(affected > 0 ? ", \(Display.grouped(affected)) with findings" : "")</span>\
      <span class="bar" aria-hidden="true"><i class="affected" style="width:\(share(affected))%">\
      </i><i style="width:\(share(files.count - affected))%"></i></span></summary>
      <ul class="files">

      """
    let first = files.indices.filter { counts[$0] > 0 }
    let others = files.indices.filter { counts[$0] == 0 }
    let listed = (first + others).prefix(left)
    left -= listed.count
    for index in listed {
      output += item(files[index], paths[index], counts[index])
    }
    output += "</ul>\n"
    if listed.count < files.count {
      output += "<p>\(Display.count(files.count - listed.count, "more file")), "
      output += "listed in the JSON report.</p>\n"
    }
    return output + "</details>\n"
  }

  private func item(_ file: ContainerSummary.File, _ path: String?, _ count: Int) -> String {
    var output = "<li><code>\(Self.shown(file.path))</code> <span class=\"soft\">"
    output += "\(Self.shown(file.type)), \(Display.size(file.size)), \(file.verdict.rawValue)"
    if let tries = file.tries { output += "; opened by none of \(tries.text)" }
    output += "</span>"
    if let path {
      let query = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      output += " <a class=\"found\" href=\"#path=\(query)\">"
      output += "\(Display.count(count, "finding"))</a>"
    }
    return output + "</li>\n"
  }

  /// The files by the type that their bytes show, with their verdicts.
  var opened: String {
    report.containers.map { container in
      var output = "<h3>\(Self.shown(container.name))</h3>\n"
      output += "<p>\(Display.count(container.files.count, "file")), "
      output +=
        "\(Display.size(container.bytes)), \(Display.count(container.values, "value")).</p>\n"
      let types = Dictionary(grouping: container.files, by: \.type)
      guard !types.isEmpty else { return output }
      output += """
        <table>
        <thead><tr><th scope="col">Type</th><th scope="col" class="number">Files</th>\
        <th scope="col">Content</th></tr></thead><tbody>

        """
      for (type, files) in types.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) })
      {
        output += "<tr><th scope=\"row\">\(Self.shown(type))</th>"
        output += "<td class=\"number\">\(Display.grouped(files.count))</td>"
        output += "<td>\(ContainerSummary.verdicts(of: files))</td></tr>\n"
      }
      return output + "</tbody></table>\n"
    }.joined()
  }
}
