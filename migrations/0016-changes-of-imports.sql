-- The stream of changes shows the progress of imports (decisions 0030 and 0032). Their last sign of life is nothing that a row shows.
create trigger imports_added after insert on imports
  for each row execute function note_changed_record('import');
create trigger imports_changed after update on imports for each row
  when (old.version <> new.version)
  execute function note_changed_record('import');
