import Foundation
import Testing

@Suite struct GenerateTests {
  private func made(_ arguments: String...) throws -> (text: String, notes: String) {
    let made = try CommandRun().run(["generate"] + arguments, input: nil)
    #expect(made.status == 0, "\(arguments)")
    return (made.text, made.notes)
  }

  @Test(arguments: [
    ([], 20, "131 bits", "enough for any use"),
    (["--length", "8"], 8, "52 bits", "limited"),
    (["--length", "10", "--characters", "alphanumeric"], 10, "59 bits", "guess is slow"),
    (["--length", "4", "--characters", "digits"], 4, "13 bits", "limited"),
    (["--length", "1024", "--characters", "hexadecimal"], 1024, "4096 bits", "any use"),
  ])
  func passwordsHaveTheirLengthAndStrength(
    arguments: [String], length: Int, bits: String, worth: String
  ) throws {
    let made = try CommandRun().run(["generate"] + arguments, input: nil)
    #expect(made.status == 0 && made.text.utf8.count == length)
    #expect(made.notes.contains(bits) && made.notes.contains(worth), "\(made.notes)")
  }

  @Test(arguments: [
    ("all", "!~azAZ09", 94), ("alphanumeric", "azAZ09", 62), ("digits", "09", 10),
    ("hexadecimal", "09af", 16),
  ])
  func everyCharacterOfAKindComesUp(kind: String, some: String, count: Int) throws {
    // A character is missing among 10 * 1,024 with a probability of less than 10^-45.
    let all = try (0..<10).map { _ in
      try made("--length", "1024", "--characters", kind).text
    }.joined()
    #expect(Set(all.utf8).count == count)
    #expect(Set(all).isSuperset(of: some))
  }

  @Test func passphrasesHaveTheirWords() throws {
    let (text, notes) = try made("--words", "6")
    #expect(text.split(separator: "-").count == 6)
    #expect(notes.contains("62 bits"), "\(notes)")
    let spaced = try made("--words", "64", "--separator", " ").text.split(separator: " ")
    #expect(spaced.count == 64 && Set(spaced).count > 40)
    #expect(spaced.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7a).contains($0) } })
  }

  @Test func noTwoAreTheSame() throws {
    #expect(try made().text != made().text)
    #expect(try made("--words", "8").text != made("--words", "8").text)
  }

  @Test(arguments: [
    ["--words", "6", "--separator", ""], ["--words", "6", "--separator", "a"],
    ["--length", "3"], ["--length", "1025"], ["--words", "2"], ["--words", "65"],
    ["--words", "6", "--length", "20"], ["--words", "6", "--characters", "digits"],
    ["--separator", "x"], ["--characters", "greek"],
  ])
  func wrongNumbersAreWrongUsage(arguments: [String]) throws {
    let made = try CommandRun().run(["generate"] + arguments, input: nil)
    #expect(made.status == 2 && made.text.isEmpty)
  }

  /// What is piped into `atrest add` has no newline.
  @Test func aPasswordIsStored() throws {
    let run = try CommandRun.withStore()
    let password = try made().text
    #expect(
      try run("add", "--service", "s", "--account", "a", input: password).status == 0)
    #expect(!password.contains("\n"))
    #expect(try run("get", "--service", "s", "--account", "a").text == password)
  }
}
