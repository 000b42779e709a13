import AtRestAuditModel
import AtRestFormats

/// Decides whether a name in the code and a place in a container are the same.
struct ContainerPlaces {
  /// A place in a file of a container.
  struct Place: Hashable {
    let slot: StorageSlot
    let path: String
  }

  /// The number of files of each name, by the container and the name.
  private let names: [[String]: Int]
  /// The app's own domain of preferences, by the folder of the preferences. A folder whose own
  /// domain is not certain is missing.
  private let domains: [String: String]

  init(_ containers: [ContainerSummary]) {
    let paths = containers.flatMap(\.files).map(\.path)
    names = paths.reduce(into: [:]) { counts, path in
      // What the app was delivered with was not written by it.
      if !path.contains(".app/") { counts[Self.key(path), default: 0] += 1 }
    }
    let folders = Dictionary(
      grouping: paths.filter {
        $0.hasSuffix(".plist")
          && ResourcePath.name(of: ResourcePath.folder(of: $0)) == "Preferences"
      }, by: ResourcePath.folder)
    domains = folders.reduce(into: [:]) { domains, folder in
      domains[folder.key] = Self.ownDomain(in: folder.key, of: folder.value, all: paths)
    }
  }

  /// The container, which is the first part of a path, and the name of the file.
  private static func key(_ path: String) -> [String] {
    [String(path.prefix { $0 != "/" }), ResourcePath.name(of: path)]
  }

  /// Returns true if the place that the code names is the place in the container.
  func holds(_ written: StorageSlot, _ place: Place) -> Bool {
    let (found, path) = (place.slot, place.path)
    switch (written, found) {
    case (.preference(let suite, let key), .preference(let domain, let other)):
      guard key == other else { return false }
      if written == found { return true }
      return suite == nil && domain != nil && domains[ResourcePath.folder(of: path)] == domain
    case (.file(let name), .file(let other)):
      return name == other && names[Self.key(path)] == 1 && !path.contains(".app/")
    case (.column(let table, let column), .column(let otherTable, let otherColumn)):
      return Self.same(table, otherTable)
        && (column == nil || column == otherColumn || Self.same(column ?? "", otherColumn ?? ""))
    case (.attribute(let entity, let name), .column(let table, let column)):
      return Self.same("Z" + entity, table) && Self.same("Z" + name, column ?? "")
    case (
      .keychainItem(let service, let account), .keychainItem(let otherService, let otherAccount)
    ):
      return written == found
        || (service != nil || account != nil) && (service == nil || service == otherService)
          && (account == nil || account == otherAccount)
    case (.cookie(let domain, let name), .cookie(let otherDomain, let other)):
      return name == other && (domain == nil || Self.sameDomain(domain, otherDomain))
    default: return written == found
    }
  }

  private static func same(_ name: String, _ other: String) -> Bool {
    name.lowercased() == other.lowercased()
  }

  /// Returns true if two domains of cookies are the same. A leading point stands for subdomains.
  private static func sameDomain(_ domain: String?, _ other: String?) -> Bool {
    func bare(_ domain: String?) -> Substring? {
      domain.map { $0.lowercased()[...] }.map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }
    }
    return bare(domain) == bare(other)
  }

  /// Returns the domain of the app's standard preferences, or nil if it is not certain.
  ///
  /// Backups name the app in the path. Otherwise the app's own domain is the only one in the folder
  /// that is neither Apple's nor a group's, or the only one for which the system keeps snapshots or
  /// saved state.
  private static func ownDomain(
    in folder: String, of files: [String], all paths: [String]
  ) -> String? {
    for part in folder.split(separator: "/") where part.hasPrefix("AppDomain-") {
      return String(part.dropFirst("AppDomain-".count))
    }
    let domains = files.map { String(ResourcePath.name(of: $0).dropLast(".plist".count)) }
      .filter { !$0.hasPrefix("com.apple.") && !$0.hasPrefix("group.") && !$0.hasPrefix(".") }
    if domains.count < 2 { return domains.first }
    let library = ResourcePath.folder(of: folder)
    let own = domains.filter { domain in
      let marks = [
        "\(library)/Saved Application State/\(domain).savedState/",
        "\(library)/SplashBoard/Snapshots/\(domain) - ",
        "\(library)/SplashBoard/Snapshots/sceneID:\(domain)-",
      ]
      return paths.contains { path in marks.contains(where: path.hasPrefix) }
    }
    return own.count == 1 ? own[0] : nil
  }
}
