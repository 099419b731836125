"""What is measured. A workload is a module with TITLE, UNIT, data(arguments) (None where they are missing), prepare(data, arguments, folder)
(its Roster of peers) and settings(data, arguments) (a sentence for the reader)."""
