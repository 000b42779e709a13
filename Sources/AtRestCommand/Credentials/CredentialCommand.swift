import ArgumentParser

struct CredentialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credential",
    abstract: "Hand credentials to git, docker, AWS, kubectl and ssh, by their protocols.",
    discussion: """
      git, docker and ssh call a program by its name. The names git-credential-atrest, \
      docker-credential-atrest and atrest-askpass are links to atrest, which then acts as the \
      subcommand git, docker or askpass.

      EXAMPLES
        git config --global credential.helper atrest
        echo '{"credsStore": "atrest"}' > ~/.docker/config.json
        export SSH_ASKPASS=atrest-askpass SSH_ASKPASS_REQUIRE=force
      """,
    subcommands: [
      GitCredentialCommand.self, DockerCredentialCommand.self, AWSCredentialCommand.self,
      KubernetesCredentialCommand.self, AskpassCommand.self,
    ])

  /// The names under which other programs call this one, with the arguments that they stand for.
  private static let names = [
    "git-credential-atrest": ["credential", "git"],
    "docker-credential-atrest": ["credential", "docker"],
  ]

  /// Returns the arguments of a command line, after those that the program's name stands for.
  static func arguments(of line: [String]) -> [String] {
    guard let program = line.first?.split(separator: "/").last else { return [] }
    if program == "atrest-askpass", line.count > 1 {
      // A prompt may begin with a hyphen. Options may follow it.
      return ["credential", "askpass"] + line.dropFirst(2) + ["--", line[1]]
    }
    return names[String(program), default: []] + line.dropFirst()
  }
}
