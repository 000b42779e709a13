import AtRest
import Foundation
import Testing

@Suite struct PreferencesTests {
  enum Theme: String, Codable { case light, dark }
  struct Window: Codable, Equatable {
    var width: Int
    var title: String
  }

  @Test func behavesAsUserDefaultsDoes() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    #expect(try preferences.integer(forKey: "n") == 0)
    #expect(try preferences.bool(forKey: "n") == false)
    #expect(try preferences.string(forKey: "n") == nil)
    try preferences.set(7, forKey: "n")
    try preferences.set("YES", forKey: "b")
    try preferences.set(["a", "b"], forKey: "list")
    try preferences.set(Date(timeIntervalSince1970: 5), forKey: "date")
    try preferences.set(Data([1]), forKey: "data")
    try preferences.set(["k": 1], forKey: "map")
    #expect(try preferences.integer(forKey: "n") == 7)
    #expect(try preferences.double(forKey: "n") == 7)
    #expect(try preferences.string(forKey: "n") == "7")
    #expect(try preferences.bool(forKey: "b"))
    #expect(try preferences.stringArray(forKey: "list") == ["a", "b"])
    #expect(try preferences.date(forKey: "date") == Date(timeIntervalSince1970: 5))
    #expect(try preferences.data(forKey: "data") == Data([1]))
    #expect(try preferences.dictionary(forKey: "map") as? [String: Int] == ["k": 1])
    try preferences.set(nil, forKey: "n")
    #expect(try preferences.object(forKey: "n") == nil)
  }

  @Test func fallsBackToWhatWasRegistered() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    preferences.register(defaults: ["n": 3])
    #expect(try preferences.integer(forKey: "n") == 3)
    try preferences.set(4, forKey: "n")
    #expect(try preferences.integer(forKey: "n") == 4)
    try preferences.removeObject(forKey: "n")
    #expect(try preferences.integer(forKey: "n") == 3)
  }

  @Test func hasTypedKeys() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    let theme = PreferenceKey("theme", default: Theme.light)
    let window = PreferenceKey("window", default: Window(width: 1, title: ""))
    #expect(try preferences.value(for: theme) == .light)
    try preferences.set(.dark, for: theme)
    try preferences.set(Window(width: 9, title: "t"), for: window)
    #expect(try preferences.value(for: theme) == .dark)
    #expect(try preferences.string(forKey: "theme") == "dark")
    #expect(try preferences.value(for: window) == Window(width: 9, title: "t"))
    try preferences.set(5, forKey: "window")
    expect(.invalidArgument) { _ = try preferences.value(for: window) }
  }

  @Test func anotherOpeningSeesEachChange() throws {
    let test = try TestVault()
    let one = try test.open().device.preferences
    let other = try test.open().device.preferences
    for number in 1...3 {
      try one.set(number, forKey: "a")
      #expect(try other.integer(forKey: "a") == number)
      try other.set(number, forKey: "b")
      #expect(try one.integer(forKey: "b") == number)
    }
  }

  @Test func losesNoChangeOfThreads() async throws {
    let test = try TestVault()
    let vault = try test.open()
    await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await vault.device.preferences.background { try $0.set(number, forKey: "\(number)") }
        }
      }
    }
    #expect(try vault.device.preferences.dictionaryRepresentation().count == 20)
  }

  @Test func refusesMoreThanItsSizeAndKeepsWhatWasThere() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    try preferences.set("small", forKey: "a")
    try preferences.set(Data(count: 4_000_000), forKey: "b")
    let error = #expect(throws: AtRestError.self) {
      try preferences.set(Data(count: 4_194_304), forKey: "c")
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.remedy.contains("document") == true)
    #expect(try preferences.string(forKey: "a") == "small")
    #expect(try preferences.data(forKey: "c") == nil)
  }

  @Test func refusesWhatIsNoPropertyList() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    expect(.invalidArgument) { try preferences.set(test.folder, forKey: "url") }
  }

  @Test func isSealed() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    try preferences.set(String(repeating: "visible", count: 9_000), forKey: "long")
    for file in test.valueFiles {
      let contents = try Data(contentsOf: test.folder.appendingPathComponent("values/\(file)"))
      #expect(contents.range(of: Data("visible".utf8)) == nil)
    }
    #expect(test.valueFiles.count == 1)
    test.device.lock()
    expect(.locked) { _ = try preferences.object(forKey: "long") }
  }

  @Test func importsAPropertyList() throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    try preferences.set("mine", forKey: "a")
    let file = test.folder.appendingPathComponent("com.example.plist")
    try PropertyListSerialization.data(
      fromPropertyList: ["a": "theirs", "b": 2], format: .xml, options: 0
    ).write(to: file)
    #expect(try preferences.importPropertyList(at: file) == ["b"])
    #expect(try preferences.string(forKey: "a") == "mine")
    #expect(try preferences.importPropertyList(at: file, replacing: true) == ["a", "b"])
    #expect(try preferences.string(forKey: "a") == "theirs")
    try Data("no list".utf8).write(to: file)
    expect(.damaged) { try preferences.importPropertyList(at: file) }
  }

  @Test func tellsChanges() async throws {
    let test = try TestVault()
    let preferences = try test.open().device.preferences
    var changes = preferences.changes.makeAsyncIterator()
    try preferences.set(1, forKey: "a")
    #expect(await changes.next() == "a")
  }
}
