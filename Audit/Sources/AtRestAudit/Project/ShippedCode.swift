import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension SourceFile {
  /// Returns true for the manifest of a package with a product for others in a folder, given with its slash.
  func declaresLibrary(in folder: String) -> Bool {
    path == folder + "Package.swift"
      && words.words.contains { $0.hash == CodeWords.hash("library") }
  }
}

/// Decides which code is part of an app: not tests, tools of the build, or files that no target
/// compiles.
struct ShippedCode {
  private let resources: ProjectResources
  /// The types that are tests: those that inherit from one of a framework for tests, through types of
  /// the project.
  private let tests: Set<String>
  /// The folders of tests and of tools, according to the manifests of packages.
  private let folders: [(path: String, reason: AuditReport.LeftOut.Reason)]

  /// The headers that no code which is read includes.
  private let unusedHeaders: Set<String>
  private let built: BuiltFolders

  /// - Parameter manifests: The folders that something other than Xcode projects and packages builds.
  init(_ files: [SourceFile], _ resources: ProjectResources, manifests: Set<String>) {
    self.resources = resources
    var heirs: [String: [String]] = [:]
    for type in files.flatMap(\.types) {
      for inherited in type.inherited { heirs[inherited, default: []].append(type.name) }
    }
    var tests: Set<String> = []
    var ahead = Self.roots
    while let next = ahead.popLast() {
      ahead += (heirs[next] ?? []).filter { tests.insert($0).inserted }
    }
    self.tests = tests
    // Beside an app, the programs of packages are tools. Without one, they are the product.
    let hasApp = resources.projects.contains { project in
      project.targets.contains { $0.kind == .application }
    }
    built = BuiltFolders(files, resources.projects, manifests)
    unusedHeaders = hasApp ? Self.unusedHeaders(files) : []
    folders = files.filter { $0.folders.count < 8 && Self.isManifest($0.path) }.flatMap { file in
      Self.folders(of: file, hasApp: hasApp)
    }
  }

  private static let roots = [
    "XCTestCase", "SenTestCase", "QuickSpec", "KIFTestCase", "FBSnapshotTestCase",
  ]

  static func isManifest(_ path: String) -> Bool {
    path == "Package.swift" || path.hasSuffix("/Package.swift")
  }

  /// Returns the reason to leave out a file of code, or nil if it is part of the app.
  func reason(for file: SourceFile) -> AuditReport.LeftOut.Reason? {
    let path = file.path
    if resources.isTestCode(path) { return .tests }
    if file.types.contains(where: { $0.form == .class && tests.contains($0.name) }) {
      return .tests
    }
    if resources.isToolCode(path) { return .tools }
    if built.leavesOut(path) { return .unbuilt }
    if unusedHeaders.contains(path) { return .unbuilt }
    return folders.first { path.hasPrefix($0.path) }?.reason
  }

  // MARK: Headers

  /// Returns the headers that no code which is read includes, such as those of the tests of a library in C.
  private static func unusedHeaders(_ files: [SourceFile]) -> Set<String> {
    var users: [String: Set<String>] = [:]
    for file in files where file.language == .objectiveC {
      for header in file.imports {
        users[ResourcePath.name(of: header), default: []].insert(file.path)
      }
    }
    var left: Set<String> = []
    // Other headers declare what the code of the app uses, through a bridging header or a module.
    var headers = files.filter { file in
      ["h", "hpp", "hh"].contains(ResourcePath.ending(of: file.path)) && file.types.isEmpty
        && (file.variables.contains { $0.value != nil }
          || file.functions.contains { $0.body != nil })
    }.map(\.path)
    while true {
      let found = headers.filter { path in
        (users[ResourcePath.name(of: path)] ?? []).subtracting([path]).isSubset(of: left)
      }
      guard !found.isEmpty else { return left }
      left.formUnion(found)
      headers.removeAll(where: left.contains)
    }
  }

  // MARK: Manifests

  /// Returns the folders of targets that do not ship.
  private static func folders(
    of manifest: SourceFile, hasApp: Bool
  ) -> [(path: String, reason: AuditReport.LeftOut.Reason)] {
    let base = manifest.folders.map { $0 + "/" }.joined()
    var found: [(String, AuditReport.LeftOut.Reason)] = []
    for variable in manifest.variables {
      guard let value = variable.value else { continue }
      each(value) { callee, arguments in
        guard let (reason, folder) = kinds[callee], hasApp || reason == .tests,
          let name = arguments.first(where: { $0.label == "name" })?.value.literal
        else { return }
        let path = arguments.first { $0.label == "path" }?.value.literal
        found.append((base + (path ?? "\(folder)/\(name)") + "/", reason))
      }
    }
    return found
  }

  private static let kinds: [String: (AuditReport.LeftOut.Reason, String)] = [
    "executableTarget": (.tools, "Sources"), "plugin": (.tools, "Plugins"),
    "macro": (.tools, "Sources"), "testTarget": (.tests, "Tests"),
  ]

  /// Calls `look` with each call in an expression.
  private static func each(
    _ expression: Expression, _ look: (_ callee: String, _ arguments: [Argument]) -> Void
  ) {
    switch expression.kind {
    case .call(let callee, let arguments):
      if let name = callee.lastName { look(name, arguments) }
      for argument in arguments { each(argument.value, look) }
    case .array(let elements), .other(let elements):
      for element in elements { each(element, look) }
    case .binary(let left, _, let right):
      each(left, look)
      each(right, look)
    default: break
    }
  }
}
