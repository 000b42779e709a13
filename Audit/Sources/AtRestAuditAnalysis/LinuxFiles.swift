import AtRestAuditModel

/// Finds the Swift files that are built for Linux.
package enum LinuxFiles {
  /// The names that show in a manifest that a package is built for Linux.
  package static let namesOfInterest: Set<String> = ["linux"]

  /// Returns the paths of Swift files that mention Linux. If any file of a package mentions Linux,
  /// all files of the package are included.
  ///
  /// A file that imports a module of Apple's systems without a condition is not included.
  static func paths(of files: [(SourceFile, [Scope])]) -> Set<String> {
    var speaking: Set<String> = []
    // The folders of packages, and of those that are built for Linux. A tool's package says nothing
    // about the app beside it.
    var packages: Set<[Substring]> = []
    var packagesForLinux: Set<[Substring]> = []
    for (file, scopes) in files where file.language == .swift {
      guard file.path == "Package.swift" || file.path.hasSuffix("/Package.swift") else { continue }
      packages.insert(file.folders)
      if scopes.contains(where: { $0.mentions["linux"] != nil }) {
        packagesForLinux.insert(file.folders)
      }
    }
    func package(of file: SourceFile) -> [Substring]? {
      (0...file.folders.count).lazy.reversed().map { Array(file.folders.prefix($0)) }
        .first(where: packages.contains)
    }
    for (file, scopes) in files where file.language == .swift {
      guard
        file.imports.contains(where: { BuildCondition.linuxModules.contains(module(of: $0)) })
          || scopes.contains(where: { $0.conditions.contains(where: BuildCondition.namesLinux) })
      else { continue }
      speaking.insert(file.path)
      if let package = package(of: file) { packagesForLinux.insert(package) }
    }
    func isForLinux(_ file: SourceFile) -> Bool {
      if speaking.contains(file.path) { return true }
      return !packagesForLinux.isEmpty && package(of: file).map(packagesForLinux.contains) == true
    }
    return Set(
      files.lazy.map(\.0).filter { file in
        file.language == .swift && isForLinux(file)
          && !file.imports.contains {
            BuildCondition.appleModules.contains(module(of: $0))
              && !file.conditionalImports.contains($0)
          }
      }.map(\.path))
  }

  private static func module(of path: String) -> String {
    path.split(separator: ".").first.map(String.init) ?? path
  }
}
