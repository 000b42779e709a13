import AtRestAuditModel
import AtRestAuditResources

/// The folders of which the targets of Xcode projects compile files.
struct BuiltFolders {
  private let projects: [XcodeProject]
  /// The folders with files that targets list as sources.
  private let folders: Set<String>
  /// The folders around those, below the folder of their project.
  private let around: Set<String>
  /// The folders with a manifest of a package or a pod, which may build every file below.
  private let packages: Set<String>
  /// The folders of the projects.
  private let bases: Set<String>
  /// The names of sources that are at another place than their project says, and of those that other
  /// code includes.
  private let strays: Set<String>
  /// The sources of targets, and the folders that belong to them.
  private let listed: Set<String>
  /// The same in small letters: a Mac finds a file in other letters, too.
  private let spellings: Set<String>

  init(_ files: [SourceFile], _ projects: [XcodeProject], _ manifests: Set<String>) {
    self.projects = projects
    let known = Set(files.map(\.path))
    var folders: Set<String> = []
    var around: Set<String> = []
    var strays: Set<String> = []
    for project in projects {
      let base = ResourcePath.folder(of: ResourcePath.folder(of: project.path))
      for path in project.sources {
        if !known.contains(path) { strays.insert(ResourcePath.name(of: path)) }
        var folder = ResourcePath.folder(of: path)
        folders.insert(folder)
        while folder.utf8.count > base.utf8.count, folder.hasPrefix(base),
          around.insert(folder).inserted
        {
          folder = ResourcePath.folder(of: folder)
        }
      }
    }
    for file in files where file.language == .objectiveC {
      for name in file.imports where Self.isSource(name) {
        strays.insert(ResourcePath.name(of: name))
      }
    }
    self.folders = folders
    listed = Set(projects.flatMap { $0.sources + $0.folders.map(\.path) })
    spellings = Set(listed.map { $0.lowercased() })
    self.around = projects.allSatisfy(\.skipped.isEmpty) ? around : []
    self.strays = strays
    packages = manifests.union(
      files.map(\.path).filter(ShippedCode.isManifest).map { ResourcePath.folder(of: $0) })
    bases = Set(projects.map { ResourcePath.folder(of: ResourcePath.folder(of: $0.path)) })
  }

  /// Returns true if no target compiles a source, though targets compile others of its folder, or of a
  /// folder around it that nothing else builds.
  func leavesOut(_ path: String) -> Bool {
    guard Self.isSource(path), projects.allSatisfy({ $0.targets(of: path).isEmpty }) else {
      return false
    }
    if isSpelledOtherwise(path) { return false }
    var folder = ResourcePath.folder(of: path)
    if folders.contains(folder) { return true }
    guard !strays.contains(ResourcePath.name(of: path)), !packages.contains("") else {
      return false
    }
    var isAround: Bool?
    while !folder.isEmpty {
      // A package around the project may build its files too.
      if packages.contains(folder) { return false }
      if isAround == nil {
        if bases.contains(folder) { isAround = false }
        if around.contains(folder) { isAround = true }
      }
      folder = ResourcePath.folder(of: folder)
    }
    return isAround ?? false
  }

  /// Returns true if a target lists the file, or a folder around it, in other letters.
  private func isSpelledOtherwise(_ path: String) -> Bool {
    var place = path
    while !place.isEmpty {
      if spellings.contains(place.lowercased()), !listed.contains(place) { return true }
      place = ResourcePath.folder(of: place)
    }
    return false
  }

  private static func isSource(_ path: String) -> Bool {
    ["swift", "m", "mm"].contains(ResourcePath.ending(of: path))
  }
}
