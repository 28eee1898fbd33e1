report_sources += \
	src/record/check.c \
	src/record/check.h \
	src/record/command_log.c \
	src/record/command_log.h \
	src/record/key_set.c \
	src/record/key_set.h \
	src/record/merge.c \
	src/record/merge.h \
	src/record/record.c \
	src/record/record.h \
	src/record/record_io.c \
	src/record/record_io.h \
	src/record/record_rows.c \
	src/record/record_rows.h \
	src/record/run.c \
	src/record/run.h \
	src/record/run_record.c \
	src/record/run_record.h \
	src/record/spec_file.c \
	src/record/spec_file.h
