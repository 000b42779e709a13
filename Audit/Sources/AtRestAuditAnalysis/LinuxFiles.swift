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
    var isPackage = false
    var isPackageForLinux = false
    for (file, scopes) in files where file.language == .swift {
      let isManifest = file.path == "Package.swift" || file.path.hasSuffix("/Package.swift")
      if isManifest { isPackage = true }
      let speaks =
        file.imports.contains { BuildCondition.linuxModules.contains(module(of: $0)) }
        || scopes.contains { scope in scope.conditions.contains(where: BuildCondition.namesLinux) }
      if speaks { speaking.insert(file.path) }
      if speaks || isManifest && scopes.contains(where: { $0.mentions["linux"] != nil }) {
        isPackageForLinux = true
      }
    }
    let isEverywhere = isPackage && isPackageForLinux
    return Set(
      files.lazy.map(\.0).filter { file in
        file.language == .swift && (isEverywhere || speaking.contains(file.path))
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
