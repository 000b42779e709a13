/// The version of the program that reports show.
public enum AuditVersion {
  public static let current = "0.1.0"
}
