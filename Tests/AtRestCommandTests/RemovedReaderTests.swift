import Testing

/// `rewrap` says which ways in it removed.
@Suite struct RemovedReaderTests {
  @Test func theyAreCounted() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    let plain = try run.file("plain", "plain")
    for name in ["f", "g", "h"] {
      #expect(
        try run("protect", "--class", "none", "--passphrase-file", phrase, "-o", name, plain).status
          == 0)
    }
    let removed = try run("rewrap", "--class", "none", "f")
    #expect(removed.status == 0 && removed.notes.contains("1 other reader was removed"))
    // Controls: the second way in is named again, and notes are unwanted.
    #expect(
      try !run("rewrap", "--class", "none", "--new-passphrase-file", phrase, "g").notes
        .contains("removed"))
    #expect(try run("rewrap", "--quiet", "--class", "none", "h").notes.isEmpty)
  }
}
