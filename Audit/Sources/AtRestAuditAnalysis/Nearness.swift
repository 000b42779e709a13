import AtRestAuditModel

/// Chooses between declarations with one name by their places in the project.
enum Nearness {
  /// Returns the items that a file most likely means: those of a module that the file imports, and
  /// otherwise those with the longest common path.
  static func nearest<Item>(
    _ items: [Item], to file: SourceFile, _ home: (Item) -> SourceFile
  ) -> [Item] {
    let own = items.filter { home($0) === file }
    if !own.isEmpty { return own }
    let path = file.folders
    let imports = Set(file.imports)
    let scores = items.map { item -> Int in
      let other = home(item).folders
      var common = 0
      while common < min(path.count, other.count), path[common] == other[common] { common += 1 }
      let isImported = other.dropFirst(common).contains { imports.contains(String($0)) }
      return isImported ? Int.max : common
    }
    guard let best = scores.max() else { return [] }
    return zip(items, scores).filter { $0.1 == best }.map(\.0)
  }
}
