/// The apps whose containers the folders of a device or of a backup are.
package struct ContainerOwners: Sendable {
  /// The beginnings of the names of domains in backups. The identifier of an app, a group or an extension follows.
  private static let domains = ["AppDomain-", "AppDomainGroup-", "AppDomainPlugin-"]

  private let folders: [String: String]

  package init(_ files: [FileReport]) {
    let named = files.compactMap { file -> (String, String)? in
      guard let application = file.application, file.locator.steps.isEmpty else { return nil }
      return (Self.folder(of: file.locator.path), application)
    }
    folders = Dictionary(named) { first, _ in first }
  }

  /// The identifier of the app in whose container a file is, or nil if it is unknown.
  package func owner(of path: String) -> String? {
    var folder = path
    while !folder.isEmpty {
      folder = Self.folder(of: folder)
      if let application = folders[folder] { return application }
    }
    let domain = path.prefix { $0 != "/" }
    return Self.domains.first(where: domain.hasPrefix).map { String(domain.dropFirst($0.count)) }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
